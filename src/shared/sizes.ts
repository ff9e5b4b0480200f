/**
 * Converts a size written as `NM` to bytes: N times 1,000,000, decimal, as the specification says (B §9).
 * @throws RangeError if the text is not a whole number followed by `M`.
 */
export function sizeInBytes(size: string): number {
  const match = /^(\d+)M$/.exec(size)
  if (!match) throw new RangeError(`A size is written as NM, for example 10M; got ${size}`)
  return Number(match[1]) * 1_000_000
}
