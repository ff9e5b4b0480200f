import type { ReactNode } from 'react'
import { Input } from '@mantine/core'
import classes from '#web/composer/composer.module.css'
import { useWarnBeforeLeaving } from '#web/form/FormModal.tsx'
import { InnerContext } from '#web/form/inner.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'

interface Props<Values extends Record<string, any>> {
  /** Accessible name of the form. */
  label: string
  form: DraftForm<Values>
  /** The text. */
  children: ReactNode
  /** Attached files. */
  files?: ReactNode
  /** Further fields. */
  options?: ReactNode
  /** The buttons, from the left. */
  acts: ReactNode
}

/** Form of a composer's tab: the text, its files, and the buttons below. Ctrl+Enter submits it. */
export function ComposerForm<Values extends Record<string, any>>({
  label,
  form,
  children,
  files,
  options,
  acts,
}: Props<Values>) {
  useWarnBeforeLeaving(form)
  return (
    <form {...form.formProps} className={classes.form} aria-label={label}>
      <InnerContext value={form.inner.tell}>
        {children}
        {files}
      </InnerContext>
      {options && <div className={classes.options}>{options}</div>}
      {form.failure && (
        <Input.Error className={classes.error} role="alert">
          {form.failure}
        </Input.Error>
      )}
      <div className={classes.acts}>{acts}</div>
    </form>
  )
}
