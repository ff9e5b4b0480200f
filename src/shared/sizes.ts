/**
 * Converts a size such as `10M` to bytes. M means 1,000,000 (decimal), as in the specification (B §9).
 * @throws RangeError if the string is not a whole number followed by `M`.
 */
export function sizeInBytes(size: string): number {
  const match = /^(\d+)M$/.exec(size)
  if (!match) throw new RangeError(`A size must be a whole number followed by M, such as 10M; got ${size}`)
  return Number(match[1]) * 1_000_000
}
