import { useState, type FormEvent } from 'react'
import { Alert, Button, Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { mailboxes, type MailboxRow } from '#features/admin/mail-settings/mailboxes.contract.ts'
import classes from '#features/admin/mail-settings/web/incoming.module.css'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'
import { RightModal } from '#web/parts/RightModal.tsx'

interface Props {
  /** Undefined for a new one. */
  mailbox: MailboxRow | undefined
  /** Whether passwords can be stored. */
  canStore: boolean
  onClose: () => void
}

const secrets = { password: '', client_secret: '', refresh_token: '' }
const empty = {
  address: '',
  host: '',
  port: 993,
  username: '',
  folder: 'INBOX',
  sign_in: 'password' as MailboxRow['sign_in'],
  token_url: '',
  client_id: '',
  unknown_becomes: 'unsorted' as MailboxRow['unknown_becomes'],
  is_on: true,
}
type Values = typeof empty & typeof secrets

function valuesOf(mailbox: MailboxRow | undefined): Values {
  if (!mailbox) return { ...empty, ...secrets }
  const { address, host, port, username, folder, sign_in, token_url, client_id, unknown_becomes, is_on } =
    mailbox
  return {
    address,
    host,
    port,
    username,
    folder,
    sign_in,
    token_url,
    client_id,
    unknown_becomes,
    is_on,
    ...secrets,
  }
}

/** Form for a mailbox. Its input is kept nowhere, because it has a password. */
export function MailboxForm({ mailbox, canStore, onClose }: Props) {
  const [values, setValues] = useState(() => valuesOf(mailbox))
  const [error, setError] = useState<unknown>()
  const creating = useSend(mailboxes.create, { failure: 'throw' })
  const changing = useSend(mailboxes.change, { failure: 'throw' })
  const errors = error instanceof ApiError ? (error.errors ?? {}) : {}
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    try {
      const body = { ...values, port: values.port as 993 | 143 }
      const reply = mailbox
        ? await changing.send({ params: { id: mailbox.id }, body: { ...body, version: mailbox.version } })
        : await creating.send({ body })
      if (!reply) return
      toast.success(reply.message)
      onClose()
    } catch (failure) {
      setError(failure)
    }
  }
  const set = (more: Partial<Values>) => setValues({ ...values, ...more })
  const field = (name: keyof Values) => ({
    value: String(values[name]),
    error: errors[name]?.[0],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  return (
    <RightModal title={mailbox ? `Edit ${mailbox.address}` : 'New mailbox'} onClose={onClose}>
      <form className={classes.form} onSubmit={(event) => void save(event)}>
        {error !== undefined && Object.keys(errors).length === 0 && (
          <Alert color="red" role="alert">
            {errorMessageOf(error)}
          </Alert>
        )}
        <MailboxFields values={values} set={set} field={field} mailbox={mailbox} canStore={canStore} />
        <div className={classes.acts}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={creating.sending || changing.sending}>
            {mailbox ? 'Save mailbox' : 'Add mailbox'}
          </Button>
        </div>
      </form>
    </RightModal>
  )
}

interface FieldsProps extends SecretProps {
  set: (more: Partial<Values>) => void
}

function MailboxFields({ values, set, field, mailbox, canStore }: FieldsProps) {
  return (
    <>
      <TextInput label="Address" type="email" required maxLength={254} {...field('address')} />
      <TextInput label="Server" placeholder="imap.example.com" required maxLength={253} {...field('host')} />
      <NativeSelect
        label="Port"
        data={[
          { value: '993', label: '993 (TLS)' },
          { value: '143', label: '143 (STARTTLS)' },
        ]}
        {...field('port')}
        onChange={({ currentTarget }) => set({ port: Number(currentTarget.value) })}
      />
      <TextInput label="Username" required maxLength={254} autoComplete="off" {...field('username')} />
      <NativeSelect
        label="Sign-in"
        data={[
          { value: 'password', label: 'Password' },
          { value: 'oauth2', label: 'OAuth 2' },
        ]}
        {...field('sign_in')}
      />
      <SecretFields values={values} field={field} mailbox={mailbox} canStore={canStore} />
      <TextInput
        label="Folder"
        description="Read as email arrives. Email stays in the mailbox, marked as read."
        required
        maxLength={200}
        {...field('folder')}
      />
      <NativeSelect
        label="Email that can’t be filed"
        description="No ticket, lead, or user has its address, and it answers no email."
        data={[
          { value: 'unsorted', label: 'Waits in Unsorted' },
          { value: 'ticket', label: 'Becomes a ticket' },
        ]}
        {...field('unknown_becomes')}
      />
      <Checkbox
        label="Read this mailbox"
        checked={values.is_on}
        onChange={({ currentTarget }) => set({ is_on: currentTarget.checked })}
      />
    </>
  )
}

interface SecretProps extends Pick<Props, 'mailbox' | 'canStore'> {
  values: Values
  field: (name: keyof Values) => {
    value: string
    error: string | undefined
    onChange: (event: { currentTarget: { value: string } }) => void
  }
}

function SecretFields({ values, field, mailbox, canStore }: SecretProps) {
  const variable = mailbox
    ? `MAILBOX_PASSWORD_${mailbox.id}`
    : 'MAILBOX_PASSWORD_ and the number of the mailbox'
  const from = canStore
    ? `Encrypted when it is stored. ${mailbox?.secret_from === 'database' ? 'Leave it empty to keep the stored one.' : ''}`
    : `It can’t be stored, because SECRETS_KEY isn’t set. Set ${variable} instead.`
  if (values.sign_in === 'password')
    return (
      <PasswordInput
        label="Password"
        description={from}
        autoComplete="new-password"
        maxLength={1000}
        disabled={!canStore}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password' }}
        {...field('password')}
      />
    )
  return (
    <>
      <TextInput label="Token URL" type="url" required maxLength={500} {...field('token_url')} />
      <TextInput label="Client ID" required maxLength={300} {...field('client_id')} />
      <PasswordInput
        label="Client secret"
        description={from}
        autoComplete="off"
        disabled={!canStore}
        {...field('client_secret')}
      />
      <PasswordInput
        label="Refresh token"
        autoComplete="off"
        disabled={!canStore}
        {...field('refresh_token')}
      />
    </>
  )
}
