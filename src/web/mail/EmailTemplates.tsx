import { useRef, useState } from 'react'
import { Button } from '@mantine/core'
import type { RecordPerson } from '#shared/record-mail.contract.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import type { EmailTemplate, EmailValues } from '#web/mail/emailOptions.ts'
import classes from '#web/mail/mail.module.css'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'

interface Props {
  form: DraftForm<EmailValues>
  templates: readonly EmailTemplate[]
  people: readonly RecordPerson[]
  /** The text that the email has at first: that of a template, or else its signature. */
  begun: { content: string } | undefined
  signature: string
}

/** Moves the focus to the text that a button has set, unless the user has turned to something else. */
function continueInText(button: HTMLButtonElement): void {
  const focused = document.activeElement
  // A button that loads is disabled, and loses the focus.
  if (focused === button || focused === document.body)
    button.form?.querySelector<HTMLElement>('textarea, [contenteditable=true]')?.focus()
}

/** Returns the words of a text, which the editor doesn't change when it writes its markup differently. */
const wordsIn = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/(?:\s|&nbsp;)+/g, ' ')
    .trim()

/**
 * Buttons that begin the email with a template. A text that the user has typed is replaced only after a question, and Undo
 * brings it back.
 */
export function EmailTemplates({ templates, form, people, signature, begun }: Props) {
  const { fields } = form
  const given = useRef(begun?.content ?? signature)
  const [failure, setFailure] = useState<string>()
  const [loading, setLoading] = useState<string>()
  const { template, to } = fields.getValues()
  async function choose(one: EmailTemplate, button: HTMLButtonElement): Promise<void> {
    form.inner.flushPendingInput()
    const isTyped = wordsIn(fields.getValues().content) !== wordsIn(given.current)
    if (isTyped && !(await askToProceed('Replace your text with this template?', { about: one.label })))
      return
    const address = to[0] ?? ''
    setLoading(one.id)
    setFailure(undefined)
    try {
      const name = people.find((person) => person.address === address)?.name ?? ''
      const text = await one.load({ name, address })
      const { subject, content } = fields.getValues()
      const before = given.current
      given.current = text.content
      fields.setValues({ ...text, template: one.id })
      continueInText(button)
      if (form.isDirty)
        toast.success('Template inserted.', {
          undo: {
            label: 'Undo',
            onUndo: () => {
              given.current = before
              fields.setValues({ subject, content, template })
            },
          },
        })
    } catch (error) {
      setFailure(errorMessageOf(error))
    } finally {
      setLoading(undefined)
    }
  }
  return (
    <div className={classes.line}>
      <span>Template</span>
      <span className={classes.templates}>
        {templates.map((one) => (
          <Button
            key={one.id}
            size="compact-xs"
            variant={template === one.id ? 'light' : 'default'}
            aria-pressed={template === one.id}
            loading={loading === one.id}
            onClick={({ currentTarget }) => void choose(one, currentTarget)}
          >
            {one.label}
          </Button>
        ))}
        {failure && <span role="alert">{failure}</span>}
      </span>
    </div>
  )
}
