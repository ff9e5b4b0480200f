import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { TagsInput, TextInput } from '@mantine/core'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { addDays, mondayOf, type PlainDate } from '#shared/dates.ts'
import { mostPeople, NewRecordMail, recordMails, type RecordPerson } from '#shared/record-mail.contract.ts'
import type { MailedType } from '#shared/records.ts'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { SplitButton } from '#web/composer/SplitButton.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { instantMeant, skippedTimeMessage } from '#web/dates/typedMoment.ts'
import { DayField } from '#web/form/inputs.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { Loaded } from '#web/list/states.tsx'
import type { EmailOptions, EmailTemplate, EmailValues } from '#web/mail/emailOptions.ts'
import { EmailTemplates } from '#web/mail/EmailTemplates.tsx'
import { addressesIn } from '#web/mail/emailText.ts'
import classes from '#web/mail/mail.module.css'
import { WillWait } from '#web/mail/NotSetUp.tsx'
import { UndoSend } from '#web/mail/UndoSend.tsx'
import { toast } from '#web/message/toast.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { MenuItem } from '#web/parts/Menu.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useToday } from '#web/time.ts'

const EmailPreview = lazyPart(() => import('#web/mail/EmailPreview.tsx'), 'EmailPreview')

interface Props extends EmailOptions {
  type: MailedType
  id: number
  /** ID of the template that the email begins with. */
  template?: string | undefined
}

/** Returns the record page's own templates, and those of the email settings. */
function useTemplates({ type, id, templates = [] }: Props): readonly EmailTemplate[] {
  const saved = useQuery(queryOptionsFor(recordMails.templates, { params: { type, id } }))
  return [
    ...templates,
    ...(saved.data?.data ?? []).map(({ id: template_id, name: label }) => ({
      id: `saved-${template_id}`,
      label,
      load: async ({ name }: Pick<RecordPerson, 'name'>) =>
        (await request(recordMails.template, { params: { type, id, template_id }, query: { name } })).data,
    })),
  ]
}

/** Form for an email to people of a record. */
export function EmailForm(props: Props) {
  const { type, id, template } = props
  const templates = useTemplates(props)
  const query = useQuery(queryOptionsFor(recordMails.people, { params: { type, id } }))
  const wanted = templates.find((one) => one.id === template)
  const person = query.data?.data.find(({ banned }) => !banned)
  const text = useQuery({
    queryKey: ['email-template', type, id, template],
    queryFn: () => wanted!.load(person ?? { name: '', address: '' }),
    enabled: wanted !== undefined && query.data !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  })
  if (wanted && !text.data) return <Loaded query={text}>{() => null}</Loaded>
  return (
    <Loaded query={query}>
      {({ data, is_on, signature, undo_seconds }) => (
        <>
          <LoadedForm
            {...props}
            templates={templates}
            people={data}
            signature={signature}
            undoSeconds={undo_seconds}
            begun={wanted && text.data && { ...text.data, template: wanted.id }}
          />
          {!is_on && (
            <div className={classes.held}>
              <WillWait what="your email" />
            </div>
          )}
        </>
      )}
    </Loaded>
  )
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const instantOf = (typed: string) => instantMeant({ typed, zone, occurrence: 'first' })

const toSend = ({ template: _template, next: _next, send_at, ...email }: EmailValues) => ({
  ...email,
  ...(send_at && { send_at: instantOf(send_at) ?? send_at }),
})

function useEmail({ type, id, templates = [], people, signature, begun, next }: LoadedProps) {
  const [sent, setSent] = useState<{ mail_id: number; values: EmailValues }>()
  const { send } = useSend(recordMails.send, { failure: 'throw' })
  const first = people.find(({ banned }) => !banned)
  const form = useDraftForm<EmailValues>({
    name: `${type}-email-${id}`,
    initial: {
      to: first ? [first.address] : [],
      cc: [],
      subject: '',
      content: `<p></p>${signature}`,
      file_ids: [],
      send_at: '',
      template: '',
      next: '',
      ...begun,
    },
    schema: NewRecordMail,
    saveVerb: 'Send',
    toSend,
    onSave: async (values) => {
      const chosen = templates.find((one) => one.id === values.template)
      const email = toSend(values)
      const reply = chosen?.send
        ? await chosen.send(email)
        : await send({ params: { type, id }, body: email })
      if (!reply) return
      // An email that can still be undone, or that waits, is no success yet.
      if (values.send_at === '') toast.notice(reply.message)
      else toast.success(reply.message)
      form.discardSent(values)
      if (values.send_at === '') setSent({ mail_id: reply.data.id, values })
      if (values.next !== '') await next?.onSent(values.next)
    },
  })
  return { form, sent }
}

interface LoadedProps extends Props {
  people: readonly RecordPerson[]
  /** HTML that the email ends with. */
  signature: string
  undoSeconds: number
  /** The template that the email begins with. */
  begun: Pick<EmailValues, 'subject' | 'content' | 'template'> | undefined
}

function LoadedForm(props: LoadedProps) {
  const { type, id, people, undoSeconds, templates = [], tools, next } = props
  const { form, sent } = useEmail(props)
  const { fields } = form
  const values = fields.getValues()
  const [isPreviewed, setPreviewed] = useState(false)
  const files = useAttachments(form.inner.tell, values.file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  return (
    <>
      {sent && (
        <UndoSend
          key={sent.mail_id}
          mail_ids={[sent.mail_id]}
          seconds={undoSeconds}
          label="Sending email…"
          doneWords="Email canceled. Your text is back in the editor."
          onUndone={() => form.replace(sent.values)}
        />
      )}
      <ComposerForm
        label="Email"
        form={form}
        head={
          <>
            {templates.length > 0 && <EmailTemplates {...props} templates={templates} form={form} />}
            <Recipients form={form} people={people} />
          </>
        }
        files={files}
        writing={{ type, id, what: 'email' }}
        options={
          <>
            {tools?.({
              content: values.content,
              onChange: (content) => fields.setFieldValue('content', content),
            })}
            {values.send_at !== '' && <SendLater form={form} />}
            {next?.control(values.next, (chosen) => fields.setFieldValue('next', chosen))}
          </>
        }
        acts={
          <>
            {files.button}
            <IconButton bare label="Preview" onClick={() => setPreviewed(true)}>
              <IconEye size={16} stroke={1.5} aria-hidden />
            </IconButton>
            <SplitButton
              label={values.send_at === '' ? 'Send email' : 'Schedule email'}
              menuLabel="When to send"
              loading={form.saving}
              disabled={form.saveBlockedReason !== undefined}
              title={form.saveBlockedReason ?? 'Ctrl+Enter'}
            >
              <SendMenu form={form} />
            </SplitButton>
          </>
        }
      >
        <ComposerText
          label="Message"
          placeholder="Write an email."
          onFiles={files.add}
          {...fields.getInputProps('content')}
        />
      </ComposerForm>
      {isPreviewed && (
        <Suspense>
          <EmailPreview type={type} id={id} email={toSend(values)} onClose={() => setPreviewed(false)} />
        </Suspense>
      )}
    </>
  )
}

interface PartProps {
  form: DraftForm<EmailValues>
}

/** Returns the properties of a field for addresses, which can be pasted with names. */
function addressProps(fields: PartProps['form']['fields'], name: 'to' | 'cc') {
  const { onChange, ...rest } = fields.getInputProps(name)
  return {
    ...rest,
    onChange: (typed: string[]) => onChange([...new Set(typed.flatMap(addressesIn))]),
  }
}

function Recipients({ form: { fields }, people }: PartProps & Pick<LoadedProps, 'people'>) {
  const [hasCc, setHasCc] = useState(false)
  const { to, cc } = fields.getValues()
  const known = people.filter(({ banned }) => !banned)
  const banned = people.filter((one) => one.banned)
  const rest = known.filter(({ address }) => !to.includes(address) && !cc.includes(address))
  const input = {
    data: rest.map(({ address }) => address),
    renderOption: ({ option }: { option: { value: string } }) => {
      const person = known.find(({ address }) => address === option.value)
      return person && person.name !== person.address ? `${person.name} <${person.address}>` : option.value
    },
    splitChars: [',', ';'],
    acceptValueOnBlur: true,
    maxTags: mostPeople,
    variant: 'unstyled',
  }
  return (
    <>
      <div className={classes.line}>
        <span aria-hidden>To</span>
        <TagsInput aria-label="To" {...input} {...addressProps(fields, 'to')} />
        {rest.length > 1 && (
          <LinkButton
            onClick={() =>
              fields.setFieldValue('to', [...to, ...rest.map(({ address }) => address)].slice(0, mostPeople))
            }
          >
            {`Add all ${rest.length}`}
          </LinkButton>
        )}
        {!hasCc && cc.length === 0 && <LinkButton onClick={() => setHasCc(true)}>Cc</LinkButton>}
      </div>
      {(hasCc || cc.length > 0) && (
        <div className={classes.line}>
          <span aria-hidden>Cc</span>
          <TagsInput aria-label="Cc" {...input} {...addressProps(fields, 'cc')} />
        </div>
      )}
      {banned.length > 0 && (
        <div className={classes.line}>
          <span>Banned</span>
          <span>{`${banned.map(({ name }) => name).join(', ')} can’t receive email.`}</span>
        </div>
      )}
      <div className={classes.line}>
        <span aria-hidden>Subject</span>
        <TextInput
          aria-label="Subject"
          variant="unstyled"
          maxLength={200}
          {...fields.getInputProps('subject')}
        />
      </div>
    </>
  )
}

const SendLater = ({ form: { fields } }: PartProps) => (
  <div className={classes.later}>
    <DayField
      form={fields}
      name="send_at"
      label="Send at"
      time
      ahead
      description={`Time zone: ${zone}`}
      error={skippedTimeMessage({ typed: fields.getValues().send_at, zone })}
    />
    <LinkButton onClick={() => fields.setFieldValue('send_at', '')}>Send now instead</LinkButton>
  </div>
)

function SendMenu({ form: { fields } }: PartProps) {
  const today = useToday()
  const [tomorrow, monday] = [addDays(today, 1), addDays(mondayOf(today), 7)]
  const at = (day: PlainDate) => () => fields.setFieldValue('send_at', `${day}T09:00`)
  return (
    <>
      <MenuItem onClick={at(tomorrow)}>Tomorrow at 09:00</MenuItem>
      {monday !== tomorrow && <MenuItem onClick={at(monday)}>Monday at 09:00</MenuItem>}
      <MenuItem onClick={at(addDays(today, 2))}>Choose a time…</MenuItem>
    </>
  )
}
