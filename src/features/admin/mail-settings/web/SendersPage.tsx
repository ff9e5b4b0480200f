import { Button, ColorInput, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import '@mantine/core/styles/ColorInput.css'
import '@mantine/core/styles/ColorPicker.css'
import '@mantine/core/styles/ColorSwatch.css'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import {
  mailSettings,
  SenderChange,
  type SenderRow,
  type Senders,
} from '#features/admin/mail-settings/contract.ts'
import classes from '#features/admin/mail-settings/web/mailSettings.module.css'
import { MailTabs } from '#features/admin/mail-settings/web/MailTabs.tsx'
import { MailRules } from '#shared/mail-rules.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { LongTextField, TextField } from '#web/form/inputs.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { NoAccess } from '#web/states/NoAccess.tsx'

/** Senders: who customers see in their inbox, and the rules for outgoing email. */
export function SendersPage() {
  const may = useMay(mailSettings.senders)
  const query = useQuery({ ...queryOptionsFor(mailSettings.senders), enabled: may })
  return (
    <>
      <PageHeader />
      {may ? (
        <>
          <MailTabs />
          <Loaded query={query}>{(reply) => <Content {...reply} />}</Loaded>
        </>
      ) : (
        <NoAccess>Only Super Admins and Admins can change the email settings.</NoAccess>
      )}
    </>
  )
}

function Content({ data, rules, default_address, own }: Senders) {
  return (
    <div className={classes.page}>
      {data.map((sender) => (
        <SenderForm
          key={`${sender.product_id} ${sender.version}`}
          sender={sender}
          defaultAddress={default_address}
        />
      ))}
      <RulesForm key={JSON.stringify(rules)} rules={rules} />
      <OwnAddresses own={own} />
    </div>
  )
}

type SenderValues = Pick<SenderRow, 'name' | 'address' | 'color' | 'signature' | 'footer'>

function SenderForm({ sender, defaultAddress }: { sender: SenderRow; defaultAddress: string }) {
  const { product_id, product, version, name, address, color, signature, footer } = sender
  const { send } = useSend(mailSettings.changeSender, { failure: 'throw' })
  const toSend = (values: SenderValues) => ({ ...values, product_id, version })
  const form = useDraftForm<SenderValues>({
    name: `sender-${product_id ?? 0}`,
    initial: { name, address, color, signature, footer },
    schema: SenderChange,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (reply) toast.success(reply.message)
    },
  })
  const { fields } = form
  const title = product ?? 'All other emails'
  return (
    <form {...form.formProps} className={classes.card} aria-label={`Sender of ${title}`}>
      <h2 className={classes.title}>
        <span className={classes.swatch} style={{ background: fields.getValues().color }} aria-hidden />
        {title}
      </h2>
      <div className={classes.fields}>
        <TextField
          form={fields}
          name="name"
          label="Name"
          maxLength={60}
          placeholder={product ?? ''}
          description={
            product === null
              ? 'Heads all emails of no product, which have no heading without it. It is also the sender of those that no person writes.'
              : 'For emails that no person writes. A person’s emails have their own name.'
          }
        />
        <TextField
          form={fields}
          name="address"
          label="Address"
          type="email"
          maxLength={254}
          placeholder={defaultAddress}
          description={`If empty, ${defaultAddress}.`}
        />
        <LongTextField
          form={fields}
          name="signature"
          label="Signature"
          description="{{my_name}} is the author’s name."
          placeholder={product === null ? '' : 'Same as all other emails'}
        />
        <LongTextField
          form={fields}
          name="footer"
          label="Footer"
          description="Below the email, such as the company’s name and address."
          placeholder={product === null ? '' : 'Same as all other emails'}
        />
        <ColorInput
          label="Color"
          format="hex"
          description="The line above the email."
          popoverProps={{ withinPortal: true }}
          eyeDropperButtonProps={{ 'aria-label': 'Pick a color from the screen' }}
          {...fields.getInputProps('color')}
        />
      </div>
      <SaveLine form={form} />
    </form>
  )
}

function SaveLine<Values extends object>({ form }: { form: DraftForm<Values> }) {
  return (
    <p className={classes.saveLine}>
      <span role={form.failure ? 'alert' : undefined}>
        {form.failure ?? (form.isDirty ? 'Unsaved changes' : '')}
      </span>
      {form.isDirty && (
        <Button size="xs" variant="default" onClick={form.discard}>
          Discard
        </Button>
      )}
      <Button type="submit" size="xs" loading={form.saving} disabled={!form.isDirty}>
        Save
      </Button>
    </p>
  )
}

interface RuleValues {
  undo_seconds: string
  undo_mailing_seconds: string
  own_domains: string[]
}

const rulesOf = ({ own_domains, ...seconds }: RuleValues) => ({
  undo_seconds: Number(seconds.undo_seconds || 'x'),
  undo_mailing_seconds: Number(seconds.undo_mailing_seconds || 'x'),
  own_domains,
})

function RulesForm({ rules }: { rules: MailRules }) {
  const { send } = useSend(mailSettings.changeRules, { failure: 'throw' })
  const form = useDraftForm<RuleValues>({
    name: 'mail-rules',
    initial: {
      undo_seconds: String(rules.undo_seconds),
      undo_mailing_seconds: String(rules.undo_mailing_seconds),
      own_domains: rules.own_domains,
    },
    schema: MailRules,
    toSend: rulesOf,
    onSave: async (values) => {
      const reply = await send({ body: rulesOf(values) })
      if (reply) toast.success(reply.message)
    },
  })
  const { fields } = form
  return (
    <form {...form.formProps} className={classes.card} aria-label="Rules">
      <h2 className={classes.title}>Rules</h2>
      <div className={classes.fields}>
        <TextField
          form={fields}
          name="undo_seconds"
          label="Undo send for replies and emails of one record"
          description="Seconds, from 5 to 120."
        />
        <TextField
          form={fields}
          name="undo_mailing_seconds"
          label="Undo send for mailings and announcements"
          description="Seconds, from 5 to 120."
        />
        <TagsInput
          label="Domains of own addresses"
          description="Admin users can send from an address of these domains, once they have confirmed it. Allow a domain only if your mail server can send for it."
          placeholder="linen.example"
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...fields.getInputProps('own_domains')}
        />
      </div>
      <SaveLine form={form} />
    </form>
  )
}

function OwnAddresses({ own }: Pick<Senders, 'own'>) {
  return (
    <section className={classes.card} aria-label="Own addresses">
      <h2 className={classes.title}>Own addresses</h2>
      {own.length === 0 ? (
        <EmptyState title="No one has an own address">
          Admin users add theirs in their profile, under “Sending address”.
        </EmptyState>
      ) : (
        <ul className={classes.own}>
          {own.map((one) => (
            <li key={one.staff_id}>
              <strong>{one.name}</strong>
              <span>{one.address}</span>
              {one.confirmed_at === null ? (
                <Tone tone="yellow">Not confirmed</Tone>
              ) : one.allowed ? (
                <Tone tone="green">In use</Tone>
              ) : (
                <Tone tone="gray">Domain not allowed</Tone>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
