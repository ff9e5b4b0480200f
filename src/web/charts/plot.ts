/** Most lines of the grid above 0. */
const mostLines = 4
/** Room that the name of a point takes. */
const labelWidth = 58

/** Returns the values of the axis from 0 to at least the highest value: whole numbers with the same distance. */
export function ticksUpTo(most: number): number[] {
  const least = Math.max(1, most / mostLines)
  const power = 10 ** Math.floor(Math.log10(least))
  const distance = Math.max(
    1,
    [1, 2, 2.5, 3, 4, 5, 10].map((times) => times * power).find((one) => one >= least)!,
  )
  const step = Number.isInteger(distance) ? distance : Math.ceil(distance)
  const count = Math.max(1, Math.ceil(most / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** Returns which points have their name below them: each one, every second one, and so on. */
export const labelStep = (width: number): number =>
  width > 0 ? Math.max(1, Math.ceil(labelWidth / width)) : 1
