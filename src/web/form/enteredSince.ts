/**
 * Returns the values of a form that starts over after its values were sent: the initial ones, and what the user
 * has entered since.
 */
export const enteredSince = <Values extends object>(now: Values, sent: Values, initial: Values): Values =>
  Object.fromEntries(
    Object.entries(now).map(([field, value]) => [
      field,
      restOf(value, sent[field as keyof Values], initial[field as keyof Values]),
    ]),
  ) as Values

function restOf(now: unknown, sent: unknown, initial: unknown): unknown {
  if (JSON.stringify(now) === JSON.stringify(sent)) return initial
  if (Array.isArray(now) && Array.isArray(sent)) return now.filter((one) => !sent.includes(one))
  if (typeof now === 'string' && typeof sent === 'string') return restOfText(now, sent)
  return now
}

const end = '</p>'

/** Returns what follows the text that was sent, or all of the text if it was changed in another place. */
function restOfText(now: string, sent: string): string {
  if (sent.endsWith(end) && now.startsWith(sent.slice(0, -end.length))) {
    const rest = now.slice(sent.length - end.length)
    // Text in the last paragraph, or in new ones.
    return rest.startsWith(end) ? rest.slice(end.length) : `<p>${rest.trimStart()}`
  }
  const rest = now.slice(sent.length)
  return sent !== '' && now.startsWith(sent) && /^\s/.test(rest) ? rest.trimStart() : now
}
