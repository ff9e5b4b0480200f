import { use, type ReactNode } from 'react'
import { Input } from '@mantine/core'
import classes from '#web/composer/composer.module.css'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import { InnerContext } from '#web/form/inner.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { BesideListContext } from '#web/record/besideList.ts'

interface Props<Values extends Record<string, any>> {
  /** Accessible name of the form. */
  label: string
  form: DraftForm<Values>
  /** Lines above the text, such as who receives it. */
  head?: ReactNode
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
  head,
  children,
  files,
  options,
  acts,
}: Props<Values>) {
  useWarnBeforeLeaving(form, use(BesideListContext))
  return (
    <form {...form.formProps} className={classes.form} aria-label={label}>
      {head && <div className={classes.head}>{head}</div>}
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
