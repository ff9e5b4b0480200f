;(function () {
  var dataset = document.currentScript.dataset
  var stored = null
  var token = null
  try {
    stored = localStorage.getItem('mantine-color-scheme-value')
    token = localStorage.getItem('access_token')
  } catch (_) {}
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')

  // Who is signed in needs the panel's code; without this the browser would learn of it from code that it has to fetch first.
  if (!token || location.pathname === '/login') return
  var files = (dataset.panel || '').split(' ').concat((JSON.parse(dataset.pages || '{}')[location.pathname] || '').split(' '))
  files.filter(Boolean).forEach(function (file) {
    var link = document.createElement('link')
    var isStyle = file.endsWith('.css')
    link.rel = isStyle ? 'preload' : 'modulepreload'
    if (isStyle) link.as = 'style'
    // As the build's own links have it; a link of another mode would be fetched twice.
    link.crossOrigin = ''
    link.href = file
    document.head.appendChild(link)
  })
})()
