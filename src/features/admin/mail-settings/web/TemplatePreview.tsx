import { useState } from 'react'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import classes from '#features/admin/mail-settings/web/templates.module.css'
import { mailTemplates, type Template } from '#features/admin/mail-settings/templates.contract.ts'
import { kindOfTemplate } from '#shared/mail-templates.ts'
import { keepEnter } from '#web/form/keepEnter.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'
import { MailFrame } from '#web/parts/MailFrame.tsx'

interface Props {
  which: Pick<Template, 'kind' | 'product_id' | 'id'>
  subject: string
  content: string
}

/** The email exactly as it would be sent for a record, in the width of a desktop or a phone. */
export function TemplatePreview({ which, subject, content }: Props) {
  const [record, setRecord] = useState<string | null>(null)
  const [isNarrow, setNarrow] = useState(false)
  const [text] = useDebouncedValue({ subject, content }, 400)
  const query = useQuery({
    ...queryOptionsFor(mailTemplates.preview, {
      body: { ...which, ...text, ...(record === null ? {} : { record_id: Number(record) }) },
    }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const shown = query.data?.data
  return (
    <section className={classes.previewing} aria-label="Preview">
      <div className={classes.previewHead}>
        <strong>Preview</strong>
        {kindOfTemplate(which.kind).record !== 'own account' && (
          <ChooseRecord kind={which.kind} shown={shown?.record ?? null} onChoose={setRecord} />
        )}
        <FilterTabs label="Width">
          <FilterTab isCurrent={!isNarrow} onClick={() => setNarrow(false)}>
            Desktop
          </FilterTab>
          <FilterTab isCurrent={isNarrow} onClick={() => setNarrow(true)}>
            Phone
          </FilterTab>
        </FilterTabs>
      </div>
      {query.error && (
        <p role="alert" className={classes.wrong}>
          {errorMessageOf(query.error)}
        </p>
      )}
      {shown ? (
        <div className={classes.mail} data-narrow={isNarrow || undefined}>
          <dl>
            <dt>From</dt>
            <dd>{shown.from}</dd>
            <dt>Subject</dt>
            <dd>
              <strong>{shown.subject}</strong>
            </dd>
          </dl>
          <MailFrame html={shown.html} />
          {shown.record === null && (
            <p className={classes.check}>There is no record yet, so variables show what they stand for.</p>
          )}
        </div>
      ) : (
        !query.error && (
          <p role="status" className={classes.check}>
            Loading preview…
          </p>
        )
      )}
    </section>
  )
}

interface ChooseProps {
  kind: Template['kind']
  shown: { id: number; name: string } | null
  onChoose: (id: string | null) => void
}

function ChooseRecord({ kind, shown, onChoose }: ChooseProps) {
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search === shown?.name ? '' : search, 300)
  const query = useQuery({
    ...queryOptionsFor(mailTemplates.records, { query: { kind, search: wanted } }),
    placeholderData: keepPreviousData,
  })
  const options = (query.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const all =
    shown && !options.some(({ value }) => value === String(shown.id))
      ? [{ value: String(shown.id), label: shown.name }, ...options]
      : options
  return (
    <Select
      aria-label="Preview with"
      className={classes.record}
      size="xs"
      {...keepEnter}
      searchable
      data={all}
      filter={({ options: given }) => given}
      value={shown ? String(shown.id) : null}
      nothingFoundMessage="No results"
      onSearchChange={setSearch}
      onChange={onChoose}
      allowDeselect={false}
    />
  )
}
