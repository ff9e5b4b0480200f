import { useEffect, useRef, useState } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import type { z } from 'zod'
import type { AnswerToPreview, incidents } from '#features/crm/support/incidents.contract.ts'
import classes from '#features/crm/support/web/answers/answers.module.css'
import { isBlankText, type Answer } from '#features/crm/support/web/answers/useAnswer.ts'
import type { Recipient, Recipients } from '#features/crm/support/web/answers/useRecipients.ts'
import { useSavedReplies } from '#features/crm/support/web/saved-replies/useSavedReplies.tsx'
import type { queryOptionsFor } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { MailFrame } from '#web/parts/MailFrame.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** Pause in typing after which the preview follows. */
const pauseMs = 600

interface Props {
  recipients: Recipients
  answer: Answer
  /** The query of the email that one ticket gets. */
  emailOf: (
    body: z.input<typeof AnswerToPreview>,
  ) => ReturnType<typeof queryOptionsFor<typeof incidents.preview>>
  /** Whether it is in a dialog, where the keys of a page do nothing. */
  isInDialog?: boolean
}

/** The email of an answer to all to one ticket after the other, each of which can get its own text. */
export function AnswerPreview({ recipients, answer, emailOf, isInDialog = false }: Props) {
  const { answered, shown, at, step, choose } = recipients
  const { fields } = answer.form
  const { message, texts } = fields.getValues()
  const [edited, setEdited] = useState<number>()
  usePageKeys({
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ...(shown && { x: () => choose(shown.id, false) }),
  })
  if (!shown) return null
  const own = texts.find(({ ticket_id }) => ticket_id === shown.id)
  const setOwn = (text: string | undefined) =>
    fields.setFieldValue('texts', [
      ...texts.filter(({ ticket_id }) => ticket_id !== shown.id),
      ...(text === undefined ? [] : [{ ticket_id: shown.id, message: text }]),
    ])
  const isEditing = edited === shown.id && own !== undefined
  return (
    <section className={classes.preview} aria-label="Preview">
      <header>
        <h2>Preview</h2>
        <Soft as="span">{`${at + 1} of ${answered.length}`}</Soft>
        <IconButton
          label={isInDialog ? 'Previous ticket' : 'Previous ticket (←)'}
          disabled={at === 0}
          onClick={() => step(-1)}
        >
          <IconChevronLeft size={16} aria-hidden />
        </IconButton>
        <IconButton
          label={isInDialog ? 'Next ticket' : 'Next ticket (→)'}
          disabled={at === answered.length - 1}
          onClick={() => step(1)}
        >
          <IconChevronRight size={16} aria-hidden />
        </IconButton>
        {own && <LinkButton onClick={() => setOwn(undefined)}>Use the text for all</LinkButton>}
        {isEditing ? (
          <LinkButton onClick={() => setEdited(undefined)}>Show the email</LinkButton>
        ) : (
          <LinkButton
            onClick={() => {
              setEdited(shown.id)
              if (!own) setOwn(message)
            }}
          >
            {`Edit for ${shown.requester || `#${shown.id}`} only`}
          </LinkButton>
        )}
      </header>
      {isEditing ? (
        <OwnText key={shown.id} id={shown.id} fields={fields} value={own.message} onChange={setOwn} />
      ) : (
        <Email
          emailOf={emailOf}
          part={shown}
          message={own?.message ?? message}
          status={fields.getValues().status}
        />
      )}
    </section>
  )
}

interface OwnProps {
  /** The ticket. */
  id: number
  fields: Answer['form']['fields']
  value: string
  onChange: (text: string) => void
}

/** The text of one ticket, in which saved replies have its values. */
function OwnText({ id, fields, value, onChange }: OwnProps) {
  const saved = useSavedReplies({ id }, fields, { onlyText: true })
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The editor takes the place of this field once it is loaded, and keeps the focus.
    place.current?.querySelector('textarea')?.focus()
  }, [])
  return (
    <div ref={place} className={classes.own}>
      <ComposerText
        label={`Text for #${id} only`}
        placeholder="Write the text for this ticket. Type / for a saved reply."
        onFiles={() => toast.notice('Files go to all tickets. Add them to the text for all.')}
        slashMenu={saved.menu}
        insertRef={saved.insert}
        value={value}
        onChange={onChange}
      />
      {saved.button}
    </div>
  )
}

interface EmailProps extends Pick<Props, 'emailOf'> {
  part: Recipient
  message: string
  status: string
}

function Email({ emailOf, part, message, status }: EmailProps) {
  const [paused] = useDebouncedValue(message, pauseMs)
  const query = useQuery({
    ...emailOf({
      ticket_id: part.id,
      message: paused,
      ...(status === '' ? {} : { status: Number(status) }),
    }),
    enabled: !isBlankText(paused),
    // While the user types, the email stays.
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (isBlankText(message)) return <Soft>Write an answer to see the email that each requester gets.</Soft>
  const refusal = query.error instanceof ApiError && query.error.errors?.['ticket_id']
  if (refusal) return <p role="alert">{refusal.join(' ')}</p>
  return (
    <Loaded query={query} what="The preview">
      {({ data }) => (
        <div className={classes.email}>
          <dl>
            <dt>To</dt>
            <dd>{[part.requester, `<${data.to}>`].filter(Boolean).join(' ')}</dd>
            <dt>Subject</dt>
            <dd>{data.subject}</dd>
          </dl>
          <MailFrame html={data.html} title={`Email to ${part.requester}`} />
        </div>
      )}
    </Loaded>
  )
}
