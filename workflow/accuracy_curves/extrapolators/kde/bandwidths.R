# Bandwidths of the KDE method. The value of this file is a function: one call for many points.

# scores: the incorrect scores, point after point, as many for each of n_points points.
# rule: "bcv", "ucv" or "SJ", what stats::density computes for that bw.
# Gives a list: the bandwidths, NA where the rule fails; and its first error.
function(scores, n_points, rule) {
  select <- switch(rule,
    bcv = stats::bw.bcv,
    ucv = stats::bw.ucv,
    SJ = function(x) stats::bw.SJ(x, method = "ste")
  )
  message <- ""
  points <- split(scores, rep(seq_len(n_points), each = length(scores) %/% n_points))
  # "minimum occurred at one end of the range" is said for many points.
  bandwidth <- suppressWarnings(vapply(points, function(x) {
    tryCatch(select(x), error = function(e) {
      if (message == "") message <<- conditionMessage(e)
      NA_real_
    })
  }, numeric(1)))
  list(bandwidth, message)
}
