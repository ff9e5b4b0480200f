import '#web/styles/login.ts'
import '#web/styles/signed-in.ts'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Button, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { z } from 'zod'
import { queries } from '#web/api/queries.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { ForeignHtml } from '#web/richtext/ForeignHtml.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { cssVariables, theme } from '#web/theme.ts'

/*
 * A separate page with the shared components, for e2e/parts.e2e.ts, because no page in the panel contains all
 * of them.
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

createRoot(document.getElementById('root')!).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <QueryClientProvider client={queries}>
      <Parts />
    </QueryClientProvider>
  </MantineProvider>,
)
