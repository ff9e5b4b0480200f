/** Rates of fewer leads than this would say nothing. */
const leastForRate = 5

/** Returns a share in percent; undefined for fewer than five leads. */
export const rateOf = (part: number, of: number): number | undefined =>
  of < leastForRate ? undefined : Math.round((part / of) * 100)
