/** Names the tickets that an answer or a note was not for, each with the reason; empty if there are none. */
export const leftOutText = (left: readonly { id: number; title: string; why: string }[]): string =>
  left
    .map(({ id, title, why }) => ` Left out: ${[`#${id}`, title].filter(Boolean).join(' ')}. ${why}`)
    .join('')

export const repliesText = (count: number) => (count === 1 ? '1 reply' : `${count} replies`)
export const ticketsText = (count: number) => (count === 1 ? '1 ticket' : `${count} tickets`)
