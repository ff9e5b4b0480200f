import { expect, test } from 'vitest'
import { chooseRecipients } from '#shared/recipients.ts'

test('each address gets one email, and everyone excluded is named with the reason', () => {
  expect(
    chooseRecipients(
      [
        { who: 'Zoë', address: ' Zoe@One.example ', name: 'Zoë' },
        { who: 'Zoë again', address: 'zoe@one.EXAMPLE' },
        { who: 'Banned', address: 'banned@one.example', banned: true },
        { who: 'Banned without address', address: null, banned: true },
        { who: 'No address', address: null },
        { who: 'Blank', address: '  ' },
        { who: 'Broken', address: 'a@b.example\r\nBcc: c@d.example' },
        { who: 'No more', address: 'No.more@one.example' },
        { who: 'Not subscribed', address: 'not@one.example', unsubscribed: true },
        { who: 'Anne', address: 'anne@one.example' },
      ],
      new Set(['no.more@one.example']),
    ),
  ).toEqual({
    to: [{ address: 'zoe@one.example', name: 'Zoë' }, { address: 'anne@one.example' }],
    leftOut: [
      { who: 'Zoë again', why: 'twice' },
      { who: 'Banned', why: 'banned' },
      { who: 'Banned without address', why: 'banned' },
      { who: 'No address', why: 'no address' },
      { who: 'Blank', why: 'no address' },
      { who: 'Broken', why: 'no valid address' },
      { who: 'No more', why: 'unsubscribed' },
      { who: 'Not subscribed', why: 'unsubscribed' },
    ],
  })
})
