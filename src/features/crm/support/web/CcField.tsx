import { TagsInput } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { mostPeople } from '#shared/record-mail.contract.ts'
import { addressesIn } from '#web/mail/emailText.ts'

interface Props {
  cc: readonly string[]
  /** Addresses of people who took part in the emails of the ticket. */
  offered: readonly string[]
  onChange: (addresses: string[]) => void
  /** Whether the user has just opened the field. */
  isOpened: boolean
}

/** The people who receive a copy of the reply: any addresses, which can be pasted with names. */
const CcField = ({ cc, offered, onChange, isOpened }: Props) => (
  <TagsInput
    aria-label="Cc"
    placeholder={cc.length === 0 ? 'Cc: email addresses' : ''}
    size="xs"
    data={[...offered]}
    value={[...cc]}
    onChange={(typed) => onChange([...new Set(typed.flatMap(addressesIn))])}
    splitChars={[',', ';']}
    acceptValueOnBlur
    maxTags={mostPeople}
    autoFocus={isOpened}
  />
)

export default CcField
