import { Kbd, Modal } from '@mantine/core'
import classes from '#web/keys/KeyList.module.css'
import { useDialog } from '#web/parts/useDialog.ts'

/** The shortcuts, by where they work. */
const groups = [
  [
    'Everywhere',
    [
      ['Ctrl K', 'Search, jump to a page, or act on the open one (⌘ K on Mac)'],
      ['Backspace', 'Go back a step in the search'],
      ['Ctrl Enter', 'Send or save what you write, or open a search result in a new tab (⌘ Enter on Mac)'],
      ['Esc', 'Close dialog or menu; leave a text; return to the list from an open record'],
      ['?', 'Show keyboard shortcuts'],
    ],
  ],
  [
    'Lists and records',
    [
      ['/', 'Search this list'],
      ['j ↓', 'Next row, or next record on a record page'],
      ['k ↑', 'Previous row, or previous record on a record page'],
      ['x', 'Select row'],
      ['Enter', 'Open row'],
      ['u', 'Undo your last change in a list or on a board, or of a lead'],
      ['n', 'Write a note on a record'],
      ['e', 'Write an email on a record, or mark an item of My day as done'],
    ],
  ],
  [
    'Tickets',
    [
      ['r', 'Write a reply'],
      ['a', 'Assign a ticket to yourself'],
      ['f', 'Follow the open ticket, or stop following it'],
      ['m', 'Merge the open ticket with another'],
      ['p', 'Set the priority of the open ticket'],
      ['s', 'Snooze the open ticket'],
      ['t', 'Change the tags of the open ticket'],
      ['e', 'Edit the title of the open ticket'],
      ['1–9', 'Open the queue with this place'],
      ['Ctrl Shift 1–9', 'Send a reply and set the status with this place in the menu of Send'],
    ],
  ],
  [
    'Leads',
    [
      ['c', 'Log a call'],
      ['s', 'Plan a session, or snooze an item of My day'],
      ['t', 'Move the follow-up to tomorrow'],
      ['w', 'Move the follow-up to this day next week'],
      ['d', 'Choose the follow-up date'],
      ['r', 'Reject the open lead'],
    ],
  ],
] as const

interface Props {
  goLinks: readonly { key: string; label: string }[]
  onClose: () => void
}

export default function KeyList({ goLinks, onClose }: Props) {
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title="Keyboard shortcuts" size="md">
      {[...groups, ['Go to', goLinks.map(({ key, label }) => [`g ${key}`, label] as const)] as const].map(
        ([name, keys]) => (
          <section key={name} aria-label={name} className={classes.group}>
            <h3>{name}</h3>
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
          </section>
        ),
      )}
    </Modal>
  )
}
