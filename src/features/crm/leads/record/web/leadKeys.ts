/** The keys of a lead, the same on its page and in the follow-up queue. `?` lists them (web/keys/KeyList.tsx). */
export const leadKeys = {
  note: 'n',
  email: 'e',
  call: 'c',
  session: 's',
  tomorrow: 't',
  week: 'w',
  date: 'd',
  reject: 'r',
  undo: 'u',
} as const
