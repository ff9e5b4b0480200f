/** A line of the hours form, as typed. */
export interface Typed {
  title: string
  hours: string
}

/**
 * Returns the lines to send. A line without hours is left out only if its work is empty or still the suggested
 * one, so that the form asks for the hours of a line that was typed.
 */
export const reportedLines = (lines: readonly Typed[], suggested: string) =>
  lines
    .filter(({ title, hours }) => hours !== '' || !['', suggested].includes(title.trim()))
    .map(({ title, hours }) => ({ title, hours: hours === '' ? hours : Number(hours) }))
