import { useState } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { webForms } from '#features/crm/leads/web-form/contract.ts'
import classes from '#features/crm/leads/web-form/web/webForm.module.css'
import type { WebFormValues } from '#features/crm/leads/web-form/web/webFormValues.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { MailFrame } from '#web/parts/MailFrame.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'

const views = { hosted: 'Hosted page', embedded: 'Embedded', phone: 'Phone' } as const
type View = keyof typeof views

interface Props {
  product_id: number
  values: WebFormValues
  address: string | null
}

/** The page as visitors would see it, in a frame that runs no scripts and sends nothing. */
export function FormPreview({ product_id, values, address }: Props) {
  const [view, setView] = useState<View>('hosted')
  const { title, intro, button, fields, consent } = values
  const [shown] = useDebouncedValue({ title, intro, button, fields, consent }, 400)
  const query = useQuery({
    ...queryOptionsFor(webForms.preview, {
      params: { product_id },
      body: { ...shown, is_embedded: view === 'embedded' },
    }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <section className={classes.preview} aria-label="Preview">
      <div className={classes.previewHead}>
        <strong>Preview</strong>
        <Soft as="span" small>
          {address?.replace(/^https?:\/\//, '')}
        </Soft>
        <FilterTabs label="Preview as">
          {(Object.keys(views) as View[]).map((name) => (
            <FilterTab key={name} isCurrent={view === name} onClick={() => setView(name)}>
              {views[name]}
            </FilterTab>
          ))}
        </FilterTabs>
      </div>
      {query.error && (
        <p role="alert" className={classes.wrong}>
          {errorMessageOf(query.error)}
        </p>
      )}
      {query.data ? (
        <div className={classes.frame} data-view={view}>
          <MailFrame html={query.data.page} title="Page of the web form" />
        </div>
      ) : (
        !query.error && (
          <Soft small role="status">
            Loading preview…
          </Soft>
        )
      )}
    </section>
  )
}
