import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import classes from '#web/form/form.module.css'
import type { DraftForm } from '#web/form/useDraftForm.ts'

interface Props {
  form: Pick<DraftForm<Record<string, never>>, 'failure' | 'isDirty' | 'saving' | 'discard'>
  /** What isn't saved, or what saving changes. */
  children: ReactNode
  /** Label of the button that saves. */
  save: string
}

/** The bar of a page that is a form: it stays in sight while the page scrolls. */
export const SaveBar = ({ form, children, save }: Props) => (
  <div className={classes.saveBar}>
    <p role="status">{children}</p>
    {form.failure && <p role="alert">{form.failure}</p>}
    <Button variant="default" disabled={!form.isDirty || form.saving} onClick={form.discard}>
      Discard changes
    </Button>
    <Button type="submit" loading={form.saving} disabled={!form.isDirty}>
      {save}
    </Button>
  </div>
)
