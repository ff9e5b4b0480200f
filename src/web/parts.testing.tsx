import { useState } from 'react'
import { Button } from '@mantine/core'
import { z } from 'zod'
import { FilesField } from '#web/files/FilesField.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { mount } from '#web/mount.testing.tsx'
import { ForeignHtml } from '#web/richtext/ForeignHtml.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import { RichTextField } from '#web/richtext/RichTextField.tsx'

/*
 * A separate page with files and rich text, for e2e/parts.e2e.ts, because no page in the panel contains both.
 * src/web/showcase shows all shared parts.
 */

const schema = z.object({ content: z.string(), file_ids: z.array(z.number()) })
const staff = [
  { id: 3, name: 'Paula Weber' },
  { id: 4, name: 'Peter Aalto' },
]
const findStaff = async (query: string) =>
  staff.filter(({ name }) => name.toLowerCase().startsWith(query.toLowerCase()))

function Writing() {
  const { fields, restoredFrom, discard } = useDraftForm({
    name: 'parts',
    initial: { content: '', file_ids: [] as number[] },
    schema,
    onSave: async () => {},
  })
  return (
    <form>
      {restoredFrom && <p>A draft came back.</p>}
      <RichTextField label="Content" findStaff={findStaff} {...fields.getInputProps('content')} />
      <FilesField label="Attachments" {...fields.getInputProps('file_ids')} />
      <Button onClick={discard}>Discard</Button>
      <output aria-label="Value">{JSON.stringify(fields.values)}</output>
    </form>
  )
}

function Parts() {
  const [writes, setWrites] = useState(false)
  const html = decodeURIComponent(location.hash.slice(1))
  return (
    <main>
      <h1>Parts</h1>
      <Button onClick={() => setWrites(true)}>Write</Button>
      {writes && <Writing />}
      {html && (
        <>
          <section aria-label="Read">
            <RichText html={html} />
          </section>
          <ForeignHtml html={html} title="Foreign" />
        </>
      )}
    </main>
  )
}

mount(<Parts />)
