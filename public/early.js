;(function () {
  // zod would try `eval`, which the policy refuses and reports.
  // oxlint-disable-next-line no-underscore-dangle -- zod's own name
  window.__zod_globalConfig = { jitless: true }
  var stored = null
  try {
    stored = localStorage.getItem('mantine-color-scheme-value')
  } catch (_) {}
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
