import { useBounceMark } from '#web/mail/bounceMark.ts'
import { Soft } from '#web/parts/Soft.tsx'

/** Says before an email is written that it won't be sent, because emails to the address bounce. */
export function BouncedWarning({ address }: { address: string }) {
  const mark = useBounceMark(address)
  if (!mark?.marked) return null
  return <Soft as="div">{`No email will be sent because emails to ${address} bounce: ${mark.error}`}</Soft>
}
