"""What the observed classes show: average accuracy, reversed ROC, cautions."""
