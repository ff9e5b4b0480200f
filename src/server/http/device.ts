const browsers: [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Describes a user agent as text, such as `Firefox on Windows`; parts that are not recognized are described
 * as unknown.
 */
export function deviceOf(userAgent: string): string {
  const name = (table: [RegExp, string][]) => table.find(([form]) => form.test(userAgent))?.[1]
  const [browser, system] = [name(browsers), name(systems)]
  if (!browser && !system) return 'Unknown device'
  return [browser ?? 'Unknown browser', system].filter(Boolean).join(' on ')
}
