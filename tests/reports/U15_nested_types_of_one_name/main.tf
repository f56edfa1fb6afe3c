resource "x_thing" "it" {
  time_restriction {
    type = "both"
    restrictions {
      start_day = "monday"
      end_day   = "friday"
    }
    restriction {
      start_hour = 8
      end_hour   = 18
    }
  }
}
