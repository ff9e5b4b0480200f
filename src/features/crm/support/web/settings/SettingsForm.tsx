import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { EndpointShape, Reply } from '#shared/endpoint.ts'
import classes from '#features/crm/support/web/settings/settings.module.css'
import { queryOptionsFor, type ReadEndpoint } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { RestoredDraft } from '#web/form/FormModal.tsx'
import { SaveBar } from '#web/form/SaveBar.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import { Loaded } from '#web/list/states.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

const parents = [['/support', 'Support tickets']] as const

interface PageProps<E extends EndpointShape> {
  /** The endpoint that reads the settings. */
  show: E
  /** The settings as in a sentence, such as `ticket rules`. */
  name: string
  children: (reply: Reply<E>) => ReactNode
}

/** A page of settings of the support desk. */
export function SettingsPage<E extends ReadEndpoint>({ show, name, children }: PageProps<E>) {
  return (
    <>
      <PageHeader parents={parents} />
      {useMay(show) ? (
        <LoadedSettings show={show}>{children}</LoadedSettings>
      ) : (
        <NoAccess>Only admins can see and change {name}.</NoAccess>
      )}
    </>
  )
}

function LoadedSettings<E extends ReadEndpoint>({ show, children }: Omit<PageProps<E>, 'name'>) {
  return <Loaded query={useQuery(queryOptionsFor(show))}>{children}</Loaded>
}

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
