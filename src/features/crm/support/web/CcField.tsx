import { mostPeople } from '#shared/record-mail.contract.ts'
import AddressesInput from '#web/form/AddressesInput.tsx'

interface Props {
  cc: readonly string[]
  /** Addresses of people who took part in the emails of the ticket. */
  offered: readonly string[]
  onChange: (addresses: string[]) => void
  /** Whether the user has just opened the field. */
  isOpened: boolean
}

/** The people who receive a copy of the reply: any addresses. */
const CcField = ({ cc, offered, onChange, isOpened }: Props) => (
  <AddressesInput
    aria-label="Cc"
    leftSection="Cc"
    placeholder={cc.length === 0 ? 'Email addresses' : ''}
    data={[...offered]}
    value={cc}
    onChange={onChange}
    maxTags={mostPeople}
    autoFocus={isOpened}
  />
)

export default CcField
