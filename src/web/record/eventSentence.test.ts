import { expect, test } from 'vitest'
import type { RecordEvent } from '#shared/record.contract.ts'
import { byName } from '#shared/field.ts'
import { logSentence, sentenceOf } from '#web/record/eventSentence.ts'

const fields = {
  status: { label: 'Status', words: byName({ 0: 'Open', 1: 'In progress' }) },
  category: { label: 'Category', words: byName({ 1: 'Technical', 2: 'Billing' }) },
  delivery_date: { label: 'Delivery date' },
  customer_feedback: { label: 'Feedback requested' },
  tag_ids: { label: 'Tags', words: byName({ 1: 'spa', 2: 'Friday', 3: 'devices' }) },
  description: { label: 'Description' },
  title: { label: 'Title' },
  url: { label: 'URL' },
  merged: {
    label: 'Ticket',
    words: (id: unknown) => `#${String(id)}`,
    says: ['merged ', ' into this ticket'] as const,
    saysCleared: ['separated ', ' from this ticket'] as const,
  },
  row: { label: 'Row', isHiddenInHistory: true as const },
}

type Change = RecordEvent['changes'][number]

const sentence = (act: string, ...changes: [field: string, before: unknown, after: unknown][]) => {
  const event: RecordEvent = {
    id: 1,
    at: '2026-11-18T12:00:00Z',
    who: 'Tom',
    act,
    endpoint: 'PUT /x',
    changes: changes.map(([field, before, after]): Change => ({ field, before, after })),
    operation: null,
  }
  const { parts, folded } = sentenceOf(event, fields, 'ticket')
  const words = parts.map((part) => (typeof part === 'string' ? part : part.value)).join('')
  return folded.length === 0 ? words : [words, folded.length]
}

test('a change names the field and both values', () => {
  expect(sentence('Changed status', ['status', 0, 1])).toBe('changed the status from Open to In progress')
  expect(sentence('Edited', ['delivery_date', null, '2026-11-24'])).toBe(
    'set the delivery date to 24 Nov 2026',
  )
  expect(sentence('Changed delivery date', ['delivery_date', '2026-11-24', null])).toBe(
    'cleared the delivery date (was 24 Nov 2026)',
  )
  expect(sentence('Edited', ['url', '', 'https://a.example'], ['row', 1, 2])).toBe(
    'set the URL to https://a.example',
  )
  expect(sentence('Edited', ['received', null, '2026-11-24'])).toBe('set “Received” to 24 Nov 2026')
  expect(sentence('Edited', ['customer_feedback', false, true])).toBe('set “Feedback requested” to yes')
})

test('a field that the action is about has its own sentence', () => {
  expect(sentence('Merged', ['merged', null, 145])).toBe('merged #145 into this ticket')
  expect(sentence('Merged', ['merged', null, 145], ['status', 0, 1])).toContain('merged this ticket')
  expect(sentence('Undid an operation', ['merged', 145, null])).toBe('separated #145 from this ticket')
})

test('two or three changes are one sentence, without repeating the verb', () => {
  expect(sentence('Edited', ['status', 0, 1], ['category', 2, 1])).toBe(
    'changed the status from Open to In progress and the category from Billing to Technical',
  )
  expect(
    sentence('Edited', ['status', 0, 1], ['category', 2, 1], ['delivery_date', null, '2026-11-24']),
  ).toBe(
    'changed the status from Open to In progress, the category from Billing to Technical, and set the delivery date to 24 Nov 2026',
  )
})

test('a list says what was added and removed', () => {
  expect(sentence('Changed tags', ['tag_ids', [1], [1, 2, 3]])).toBe('added Friday, devices to the tags')
  expect(sentence('Changed tags', ['tag_ids', [1, 2], [2]])).toBe('removed spa from the tags')
  expect(sentence('Changed tags', ['tag_ids', [1], [2]])).toBe('added Friday to the tags and removed spa')
  expect(sentence('Edited', ['file_ids', [], [8, 9]])).toBe('added 2 files')
  expect(sentence('Edited', ['file_ids', [7], [8]])).toBe('added a file and removed a file')
  expect(sentence('Edited', ['image_ids', [7], [8]])).toBe('changed the image')
})

test('an action names the record', () => {
  expect(sentence('Moved to trash', ['in_trash', false, true])).toBe('moved this ticket to the trash')
  expect(sentence('Restored from the trash', ['in_trash', true, false])).toBe(
    'restored this ticket from the trash',
  )
  expect(sentence('Edited')).toBe('edited this ticket')
  expect(sentence('Sent an email')).toBe('sent an email')
  expect(sentence('Changed status')).toBe('changed the status')
  expect(sentence('Imported from a file')).toBe('imported this ticket from a file')
})

test('IDs in columns without a declared field are left out', () => {
  expect(sentence('Created', ['title', null, 'Dryer'], ['staff_id', null, 5], ['created_by', null, 5])).toBe(
    'created this ticket (title: Dryer)',
  )
  expect(sentence('Edited', ['merged_by', null, 5])).toBe('edited this ticket')
})

test('an action with changes says both', () => {
  expect(sentence('Banned', ['reason', null, 'Spam'])).toBe('banned this ticket (reason: Spam)')
  expect(sentence('Moved to development', ['status', 0, 1])).toBe(
    'moved this ticket to development and changed the status from Open to In progress',
  )
  expect(sentence('Edited in bulk', ['status', 0, 1])).toBe(
    'changed the status from Open to In progress in bulk',
  )
  expect(sentence('Assigned by a rule', ['status', null, 1])).toBe(
    'set the status to In progress by an assignment rule',
  )
  expect(sentence('Undid an operation', ['status', 1, 0])).toBe(
    'changed the status from In progress to Open with Undo',
  )
  expect(sentence('Undid an operation', ['in_trash', true, false])).toBe(
    'restored this ticket from the trash with Undo',
  )
  expect(sentence('Undid an operation', ['undone', null, 'Note added'])).toBe('undid “Note added”')
})

test('many fields and long texts are only named', () => {
  const long = 'A towel is missing. '.repeat(20)
  expect(sentence('Edited', ['description', 'Short', long])).toEqual(['changed the description', 1])
  expect(
    sentence(
      'Edited',
      ['status', 0, 1],
      ['category', 2, 1],
      ['title', 'A', 'B'],
      ['description', 'a', 'b'],
      ['url', 'c', 'd'],
    ),
  ).toEqual(['changed the status, the category, the title, and 2 other fields', 5])
  expect(
    sentence('Created', ['status', null, 0], ['category', null, 1], ['title', '', 'A'], ['url', null, 'b']),
  ).toEqual(['created this ticket', 4])
})

test('in a log, a sentence names its record', () => {
  const logged = (
    act: string,
    changes: [field: string, before: unknown, after: unknown][],
    { noun = 'the ticket', isMany = false } = {},
  ) =>
    logSentence(
      {
        act,
        endpoint: 'PUT /x',
        changes: changes.map(([field, before, after]): Change => ({ field, before, after })),
      },
      fields,
      { noun, isMany },
    )
      .map((part) => {
        if (typeof part === 'string') return part
        if ('isRecord' in part) return '#7'
        return part.was ? `-${part.value}-` : part.value
      })
      .join('')
  expect(logged('Changed status', [['status', 0, 1]])).toBe(
    'changed the status of #7 from -Open- to In progress',
  )
  expect(
    logged('Edited', [
      ['status', 0, 1],
      ['category', 2, 1],
    ]),
  ).toBe('changed the status of #7 from -Open- to In progress and the category from -Billing- to Technical')
  expect(logged('Moved to trash', [['in_trash', false, true]])).toBe('moved the ticket #7 to the trash')
  expect(logged('Banned', [])).toBe('banned the ticket #7')
  expect(logged('Added a note', [])).toBe('added a note on #7')
  expect(logged('Sent an email', [])).toBe('sent an email: #7')
  expect(logged('Edited in bulk', [['status', 0, 1]], { noun: '', isMany: true })).toBe(
    'changed the status of #7 in bulk',
  )
  expect(logged('Edited in bulk', [['in_trash', false, true]], { noun: '', isMany: true })).toBe(
    'moved #7 to the trash in bulk',
  )
})

test('a record of someone who was deactivated was reassigned, not deactivated', () => {
  expect(sentence('Deactivated', ['category', 1, 2])).toBe(
    'changed the category from Technical to Billing because someone was deactivated',
  )
  expect(sentence('Reactivated', ['category', 2, 1])).toBe(
    'changed the category from Billing to Technical because someone was reactivated',
  )
  // A ticket whose requester was deactivated has no field to show.
  expect(sentence('Deactivated')).toBe('changed this ticket because someone was deactivated')
  // Control: the admin user was.
  expect(sentence('Deactivated', ['deactivated', false, true])).toMatch(/^deactivated this ticket/)
})
