import {
  to = cloud_server.web
  id = "12"
}
