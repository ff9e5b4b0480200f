/** Formats a duration in seconds, such as `2 h 36 min` or `3 d 4 h`. */
export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  const parts = days ? [`${days} d`, hours && `${hours} h`] : [hours && `${hours} h`, rest && `${rest} min`]
  return parts.filter(Boolean).join(' ') || '0 min'
}

/** Formats an amount of working time in seconds, whose days have no fixed length, such as `60 h` or `4 h 45 min`. */
export function hoursText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(' ') || '0 min'
}

/** Rounds seconds to what `durationText` shows. */
export const roundToMinutes = (seconds: number) => Math.round(seconds / 60) * 60
