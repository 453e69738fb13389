# Bandwidths of the KDE method: Rscript bandwidths.R RULE SIZE POINTS < scores > bandwidths

# The input are doubles, SIZE incorrect scores of each of POINTS points, point after point. RULE is
# "bcv", "ucv" or "SJ", what stats::density computes for that bw. Gives a line for each bandwidth,
# "nan" where the rule fails, and its first error.
arguments <- commandArgs(TRUE)
size <- as.integer(arguments[2])
n_points <- as.integer(arguments[3])
select <- switch(arguments[1],
  bcv = stats::bw.bcv,
  ucv = stats::bw.ucv,
  SJ = function(x) stats::bw.SJ(x, method = "ste")
)
input <- file("stdin", "rb")
scores <- matrix(readBin(input, "double", size * n_points), nrow = size)
message <- ""
# "minimum occurred at one end of the range" is said for many points.
bandwidth <- suppressWarnings(apply(scores, 2, function(x) {
  tryCatch(select(x), error = function(e) {
    if (message == "") message <<- conditionMessage(e)
    NaN
  })
}))
writeLines(c(ifelse(is.finite(bandwidth), sprintf("%a", bandwidth), "nan"), message))
