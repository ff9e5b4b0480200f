/**
 * Matches the domains of public email providers, which say nothing about the company of an address; for JavaScript and
 * PostgreSQL.
 */
export const publicDomains =
  '^(gmail|googlemail|outlook|hotmail|live|msn|yahoo|icloud|me|gmx|web|t-online|aol|proton|protonmail)\\.'

const pattern = new RegExp(publicDomains)
export const isPublicDomain = (domain: string): boolean => pattern.test(domain)
