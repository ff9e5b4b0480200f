import { RecordComposer } from '#web/record/RecordComposer.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'

interface Props {
  lead: { lead_id: number; companyName: string }
  onClose: () => void
}

/** A note on a lead, written beside the list. */
export default function NoteOnLead({ lead: { lead_id, companyName }, onClose }: Props) {
  return (
    <RightModal title={`Note on ${companyName}`} size={600} onClose={onClose}>
      <div ref={focusText}>
        <RecordComposer type="lead" id={lead_id} inDialog onAdded={onClose} />
      </div>
    </RightModal>
  )
}

/** Moves the focus to the text; the dialog, which moves it to its first button later, then keeps it there. */
function focusText(box: HTMLElement | null): void {
  const text = box?.querySelector('textarea')
  text?.toggleAttribute('data-autofocus', true)
  text?.focus()
}
