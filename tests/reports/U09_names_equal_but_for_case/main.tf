resource "x_firewall_securitypolicy" "one" { a = "1" }
resource "x_firewall_security_policy" "two" { b = "2" }
