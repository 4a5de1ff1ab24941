filedesc://classic.arc 0.0.0.0 20260102030405 text/plain 77
1 0 by hand
URL IP-address Archive-date Content-type Archive-length

http://mill.example/mill/ 192.0.2.1 20260102030405 text/html 305
HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8

<!doctype html><html><head><title>Tide mill</title><base href="/mill/"><link rel=stylesheet href=style.css></head><body><a href="wheel.html">wheel</a> <a href="../index.html#top">home</a><img src="mill.png" srcset="mill-2x.png 2x"></body></html>

