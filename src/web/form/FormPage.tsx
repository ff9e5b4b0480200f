import { useEffect, useRef, type ReactNode } from 'react'
import { Alert, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { focusFirstField, keepFocusOnPress, propsOf, RestoredDraft } from '#web/form/FormModal.tsx'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import classes from '#web/form/form.module.css'
import { InnerContext } from '#web/form/inner.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { notPermitted } from '#web/form/useWhyNotSave.ts'
import { EmptyState } from '#web/list/states.tsx'

interface Props<Values extends object> {
  /** Accessible name, such as `New contract`. */
  label: string
  form: DraftForm<Values>
  /** Whether the page makes a record: the cursor is in the first field. Record pages keep it for their keys. */
  isNew?: boolean
  children: ReactNode
  saveLabel?: string
  /** Why the viewer cannot save; shown next to the button. */
  whyNotSave?: string | undefined
  onCancel?: () => void
  /** Other ways to finish besides Save, such as Publish. */
  actions?: ReactNode
}

/** A form on its own page: fields, errors, and a Save button. Warns before unsaved input is lost. */
export function FormPage<Values extends object>({
  label,
  form,
  isNew = false,
  children,
  saveLabel = 'Save',
  whyNotSave,
  onCancel,
  actions,
}: Props<Values>) {
  const why = whyNotSave ?? form.saveBlockedReason
  const page = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isNew && page.current) focusFirstField(page.current)
  }, [isNew])
  useWarnBeforeLeaving(form)
  // A restored draft stays readable.
  if (whyNotSave === notPermitted && !form.restoredFrom)
    return (
      <EmptyState
        title="You don’t have permission to use this form"
        action={<Link to="/dashboard">Go to dashboard</Link>}
      >
        Ask an admin to add the permission to your role.
      </EmptyState>
    )
  return (
    <>
      <form {...propsOf(form, why)} ref={page} className={classes.page} aria-label={label}>
        <RestoredDraft form={form} />
        <div className={classes.fields}>
          <InnerContext value={form.inner.tell}>{children}</InnerContext>
        </div>
        {form.failure && (
          <Alert color="red" role="alert">
            {form.failure}
          </Alert>
        )}
        <footer className={classes.actions} onMouseDown={(event) => keepFocusOnPress(event, form)}>
          <span role="status" className={classes.why}>
            {why ?? (form.isNotSaved ? 'Not saved yet.' : undefined)}
          </span>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          {actions}
          <Button type="submit" loading={form.saving} disabled={why !== undefined} title="Ctrl+Enter">
            {saveLabel}
          </Button>
        </footer>
      </form>
      {form.dialog}
    </>
  )
}
