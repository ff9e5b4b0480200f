import { useEffect } from 'react'
import { Button, CloseButton, Modal, Portal } from '@mantine/core'
import classes from '#web/message/MessageBox.module.css'
import { messageBoxMs, type Message } from '#web/message/messages.ts'
import { useDialog } from '#web/parts/useDialog.ts'

export default function MessageDialog({ message }: { message: Message }) {
  return message.needsConfirmation ? <Asked message={message} /> : <Said message={message} />
}

function Asked({ message: { text, question, answer } }: { message: Message }) {
  const dialog = useDialog()
  const { detail, about, isRisky = false, proceedLabel = 'Proceed' } = question
  return (
    <Modal
      {...dialog}
      opened
      onClose={() => answer(false)}
      title={text}
      size="sm"
      zIndex={350}
      closeOnClickOutside={false}
      centered
    >
      {detail && <p className={classes.text}>{detail}</p>}
      {about && <p className={classes.about}>{about}</p>}
      <div className={classes.actions}>
        <Button
          variant={isRisky ? 'filled' : 'default'}
          data-autofocus={isRisky || undefined}
          onClick={() => answer(false)}
        >
          Cancel
        </Button>
        <Button
          variant={isRisky ? 'default' : 'filled'}
          data-autofocus={!isRisky || undefined}
          onClick={() => answer(true)}
        >
          {proceedLabel}
        </Button>
      </div>
    </Modal>
  )
}

/** A message that requires no answer; it does not block the page behind it. */
function Said({ message }: { message: Message }) {
  // The timer starts here, once the message is visible, because loading this code may take longer than the
  // message is shown.
  useEffect(() => {
    const timer = setTimeout(() => message.answer(false), messageBoxMs)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <Portal>
      <div className={classes.said} role="alert">
        <p className={classes.text}>{message.text}</p>
        <CloseButton size="sm" aria-label="Close" onClick={() => message.answer(false)} />
      </div>
    </Portal>
  )
}
