/** Formats a duration in seconds, such as `2 h 36 min` or `3 d 4 h`. */
export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  const parts = days ? [`${days} d`, hours && `${hours} h`] : [hours && `${hours} h`, rest && `${rest} min`]
  return parts.filter(Boolean).join(' ') || '0 min'
}

/** Rounds seconds to what `durationText` shows. */
export const roundToMinutes = (seconds: number) => Math.round(seconds / 60) * 60
