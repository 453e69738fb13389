# Bandwidths of the KDE method. The value of this file is a function: one call for all points.

# Leave-one-out pseudo-likelihood bandwidth of a Gaussian kernel (Cao, Cuevas & Gonzalez Manteiga
# 1994): the h that maximises sum_i log f_{-i}(x_i). Where its derivative is 0, h^2 is a weighted
# mean of the squared distances of pairs, at least the mean squared distance to the nearest
# neighbour and at most the squared range: that is the interval. There may be several local
# maxima: steps of a factor 2 find the one to refine. The cost is that of length(x)^2 exponentials
# a step.
bw_mlcv <- function(x, tol = 1e-4) {
  x <- sort(x)
  gaps <- diff(x)
  nearest <- pmin(c(Inf, gaps), c(gaps, Inf))^2
  if (!any(nearest > 0)) stop("every score is tied, so the pseudo-likelihood has no maximum")
  lower <- log(mean(nearest)) / 2
  upper <- log(x[length(x)] - x[1])
  if (upper - lower < tol) return(exp(upper))
  # Less the nearest distance, so that no sum of exponentials underflows to 0.
  beyond <- outer(x, x, "-")^2 - nearest
  diag(beyond) <- Inf
  loss <- function(log_h) {
    slope <- -0.5 * exp(-2 * log_h)
    length(x) * log_h - sum(log(rowSums(exp(slope * beyond)))) - slope * sum(nearest)
  }
  grid <- seq(lower, upper, length.out = 1 + ceiling((upper - lower) / log(2)))
  best <- which.min(vapply(grid, loss, numeric(1)))
  around <- grid[c(max(best - 1, 1), min(best + 1, length(grid)))]
  exp(optimize(loss, around, tol = tol)$minimum)
}

# scores: the incorrect scores, point after point, as many for each of n_points points.
# rule: "bcv", "ucv", "SJ", "nrd0" (what stats::density computes for that bw) or "mlcv".
# bins, counts: for bcv, ucv and SJ what stats:::bw_pair_cnts would give, the width of the bins of
# each point (NA: let R count) and its counts of pairs, as many for each point.
# Gives a list: the bandwidths; the fate of each point (1: its scores are constant, the bandwidth
# is 0; 2: the rule failed and nrd0 stands in; else 0); whether the search ended at an end of its
# range; and the first error or other warning of the rule.
function(scores, n_points, rule, bins, counts) {
  # R's own selectors, unchanged but for where they find the function that counts pairs: counting
  # takes half of their time. An R whose selectors do not call it is right as well.
  given <- new.env(parent = asNamespace("stats"))
  given$bw_pair_cnts <- function(x, nb, binned) {
    if (is.na(given$bin) || nb != n_bins) {
      get("bw_pair_cnts", asNamespace("stats"))(x, nb, binned)
    } else {
      list(given$bin, given$count)
    }
  }
  # Said for many points, and R's conditions are slow.
  given$warning <- function(...) {
    if (identical(..1, "minimum occurred at one end of the range")) ended[i] <<- TRUE
    else base::warning(...)
  }
  counted <- function(selector) {
    environment(selector) <- given
    selector
  }
  sj <- counted(stats::bw.SJ)
  select <- switch(rule,
    bcv = counted(stats::bw.bcv),
    ucv = counted(stats::bw.ucv),
    SJ = function(x) sj(x, method = "ste"),
    nrd0 = stats::bw.nrd0,
    mlcv = bw_mlcv
  )
  size <- length(scores) %/% n_points
  n_bins <- length(counts) %/% n_points
  bandwidth <- numeric(n_points)
  fate <- integer(n_points)
  ended <- logical(n_points)
  message <- ""
  note <- function(condition) if (message == "") message <<- conditionMessage(condition)
  for (i in seq_len(n_points)) {
    x <- scores[(i - 1) * size + seq_len(size)]
    width <- max(x) - min(x)
    if (width == 0 || (width < 1e-100 && stats::var(x) == 0)) {
      fate[i] <- 1L
      next
    }
    if (n_bins > 0) {
      given$bin <- bins[i]
      given$count <- counts[(i - 1) * n_bins + seq_len(n_bins)]
    }
    found <- tryCatch(
      withCallingHandlers(select(x), warning = function(w) {
        note(w)
        invokeRestart("muffleWarning")
      }),
      error = function(e) {
        note(e)
        NA_real_
      }
    )
    if (!is.finite(found) || found <= 0) {
      fate[i] <- 2L
      found <- tryCatch(stats::bw.nrd0(x), error = function(e) NA_real_)
    }
    bandwidth[i] <- found
  }
  list(bandwidth, fate, ended, message)
}
