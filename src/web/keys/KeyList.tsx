import { Kbd, Modal } from '@mantine/core'
import classes from '#web/keys/KeyList.module.css'
import { useDialog } from '#web/parts/useDialog.ts'

const keys = [
  ['/', 'Search this list'],
  ['j ↓', 'Next row, or next record on a record page'],
  ['k ↑', 'Previous row, or previous record on a record page'],
  ['x', 'Select row'],
  ['Enter', 'Open row'],
  ['Ctrl K', 'Go to a page or record (⌘ K on Mac)'],
  ['Ctrl Enter', 'Save a form (⌘ Enter on Mac)'],
  ['Esc', 'Close dialog or menu'],
  ['?', 'Show keyboard shortcuts'],
] as const

export default function KeyList({ onClose }: { onClose: () => void }) {
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title="Keyboard shortcuts" size="sm">
      <dl className={classes.keys}>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
