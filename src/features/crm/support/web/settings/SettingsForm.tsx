import type { ReactNode } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import classes from '#features/crm/support/web/settings/settings.module.css'
import { RestoredDraft } from '#web/form/FormModal.tsx'
import { SaveBar } from '#web/form/SaveBar.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import { Loaded } from '#web/list/states.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { PageTabs } from '#web/parts/Tabs.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

const parents = [['/support', 'Support tickets']] as const

const tabs = [
  ['/support/ticket-rules', 'Ticket rules'],
  ['/support/assignment', 'Assignment'],
  ['/support/targets', 'Service targets'],
] as const

interface PageProps<Stored> {
  query: UseQueryResult<{ data: Stored }>
  /** Whether the viewer is allowed to see the settings. */
  may: boolean
  /** The settings as in a sentence, such as `ticket rules`. */
  name: string
  children: (stored: Stored) => ReactNode
}

/** A page of settings of the support desk. */
export const SettingsPage = <Stored,>({ query, may, name, children }: PageProps<Stored>) => (
  <>
    <PageHeader parents={parents} />
    {may && <PageTabs label="Support rules" tabs={tabs} />}
    {may ? (
      <Loaded query={query}>{({ data }) => children(data)}</Loaded>
    ) : (
      <NoAccess>Only admins can see and change {name}.</NoAccess>
    )}
  </>
)

interface FormProps<Values extends object> {
  form: DraftForm<Values>
  /** The settings as in a sentence, such as `ticket rules`. */
  name: string
  /** What saving changes. */
  note: string
  children: ReactNode
}

/** A form whose settings are saved as a whole. */
export function SettingsForm<Values extends object>({ form, name, note, children }: FormProps<Values>) {
  useWarnBeforeLeaving(form)
  return (
    <form
      {...form.formProps}
      className={classes.form}
      aria-label={`${name[0]!.toUpperCase()}${name.slice(1)}`}
    >
      <RestoredDraft form={form} />
      {children}
      <SaveBar form={form} save={`Save ${name}`}>
        {note}
      </SaveBar>
    </form>
  )
}
