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
  const end = doc.content.size - 1
  const { tr } = EditorState.create({ doc, selection: TextSelection.create(doc, end) })
  const changed = withTypedSpace(tr, end)
  expect(changed.doc.textContent).toBe('Price\u00A0: 5\u00A0€, we know ')
  expect(changed.selection.from).toBe(end)
  expect(withTypedSpace(changed, 3).doc.textContent).toBe('Price\u00A0: 5\u00A0€, we know ')
  expect(withTypedSpace(changed, 1).doc.textContent).toBe('Price\u00A0: 5\u00A0€, we know ')
})
