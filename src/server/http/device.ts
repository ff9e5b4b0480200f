import Bowser from 'bowser'

/**
 * Describes a user agent as text, such as `Firefox on Windows`; parts that are not recognized are described
 * as unknown.
 */
export function deviceOf(userAgent: string): string {
  // Bowser throws for an empty user agent.
  const { browser, os } = Bowser.parse(userAgent || ' ')
  if (!browser.name && !os.name) return 'Unknown device'
  return [browser.name || 'Unknown browser', os.name].filter(Boolean).join(' on ')
}
