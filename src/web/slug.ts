/**
 * Converts a name to a URL segment that is only for readability: records are found by the ID that follows it
 * (docs/spec-gaps.md G122).
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return slug || 'record'
}
