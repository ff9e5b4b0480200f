import { Schema } from '@tiptap/pm/model'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { withTypedSpace } from '#web/richtext/typedSpace.ts'

const schema = new Schema({
  nodes: { doc: { content: 'paragraph+' }, paragraph: { content: 'text*' }, text: {} },
})

test('the space before the cursor of a text that continues is an ordinary one, and the cursor stays', () => {
  const doc = schema.node('doc', null, [
    schema.node('paragraph', null, [schema.text('Price\u00A0: 5\u00A0€, we know\u00A0')]),
  ])
  const at = (position: number) =>
    withTypedSpace(EditorState.create({ doc, selection: TextSelection.create(doc, position) }).tr)
  const end = doc.content.size - 1
  expect(at(end).doc.textContent).toBe('Price\u00A0: 5\u00A0€, we know ')
  expect(at(end).selection.from).toBe(end)
  for (const other of [1, 3, end - 1]) expect(at(other).doc).toBe(doc)
})
