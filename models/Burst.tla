------------------------------- MODULE Burst -------------------------------
\* Tasks of one id that are debounced and may lead: which are run at once, and when the others are.
\* That no task gets lost on its way is in Core.tla and Journal.tla.
\*
\* Time is in ticks, and all times are counted from now. A change is a task that is scheduled.
\*
\* "code:" names what a step stands for: a method or a script. A test reads these lines.
EXTENDS Naturals, Integers

CONSTANTS
  Quiet,      \* from the last change to the run
  Most,       \* from the first change that waits to the run
  Slow,       \* how long a task waits at most that has failed
  Faults,     \* how many things may go wrong
  Prompt,     \* whether consumers take what is due at once
  Broken      \* the guard that is broken; "nothing" is the code as it is

VARIABLES
  ends,       \* in how long the burst ends by what Redis remembers, 0 if it is over
  task,       \* "none", "waits", "runs", or "fails" if it waits after a delivery
  due, limit, \* of the task: in how long
  led,        \* whether the task that waits was due at once
  silent,     \* for how long Redis has been told of no change
  calm,       \* for how long no change has come
  open,       \* for how long a change waits that no run has seen, -1 if there is none
  faults, wrong

vars == <<ends, task, due, limit, led, silent, calm, open, faults, wrong>>

Is(guard) == Broken = guard
Min(m, n) == IF m < n THEN m ELSE n
Less(n) == IF n > 0 THEN n - 1 ELSE 0
Fault == faults < Faults /\ faults' = faults + 1
Due == task \in {"waits", "fails"} /\ due = 0
Wrong(condition, what) == wrong' = IF wrong = "nothing" /\ condition THEN what ELSE wrong

Init ==
  /\ ends = 0 /\ task = "none" /\ due = 0 /\ limit = 0 /\ led = FALSE
  /\ silent = Quiet /\ calm = Quiet /\ open = -1 /\ faults = 0 /\ wrong = "nothing"

\* code: none
Tick ==
  /\ Prompt => ~Due
  /\ ends' = Less(ends) /\ due' = Less(due) /\ limit' = Less(limit)
  /\ silent' = Min(silent + 1, Quiet) /\ calm' = Min(calm + 1, Quiet)
  /\ open' = IF open < 0 THEN -1 ELSE Min(open + 1, Most + 1)
  /\ UNCHANGED <<task, led, faults, wrong>>

-----------------------------------------------------------------------------
\* Changes

\* Takes the place of what is there
\* code: schedule.lua, QueueState#schedule, TaskEntry#scheduled, TaskWriter#debounce, Arrival#debounced
Place(leads) ==
  LET waits == task = "waits"
      before == IF waits \/ Is("a limit is of a task that waits") THEN limit ELSE Most
      known == IF Is("the limit of the first stays") THEN Most ELSE before
      now == IF leads /\ ~Is("what leads is put off no more") THEN 0 ELSE known
  IN
  /\ task' = "waits" /\ limit' = now
  /\ due' = IF leads THEN 0 ELSE Min(Quiet, now)
  /\ led' = (leads \/ (waits /\ led))
  /\ calm' = 0
  /\ open' = IF open < 0 THEN 0 ELSE open

\* Redis notes the burst
\* code: schedule.lua, burst.lua, Bursts#begins
Note ==
  /\ ends' = IF ends > 0 /\ Is("each change moves the end") THEN ends ELSE Quiet
  /\ silent' = 0

Change ==
  /\ Note
  /\ Place(ends = 0)
  /\ Wrong((ends = 0) /= (silent = Quiet), "led within a burst, or not at its beginning")
  /\ UNCHANGED faults

\* With a journal, whose transaction is rolled back
\* code: TaskWriter#leading
RolledBack ==
  /\ Note
  /\ UNCHANGED <<task, due, limit, led, calm, open, faults, wrong>>

\* With a journal while Redis is away
\* code: HandOver#beginsBurst
Unasked ==
  /\ Fault
  /\ Place(FALSE)
  /\ UNCHANGED <<ends, silent, wrong>>

-----------------------------------------------------------------------------
\* What becomes of them

\* code: claim.lua
Claim ==
  /\ Due
  /\ Wrong(task = "waits" /\ ~led /\ calm < Quiet /\ open < Most, "run before it was quiet for long enough")
  /\ task' = "runs" /\ open' = -1 /\ led' = FALSE
  /\ UNCHANGED <<ends, due, limit, silent, calm, faults>>

\* code: settle.lua, cancel.lua
End ==
  /\ task /= "none"
  /\ task' = "none" /\ open' = -1 /\ led' = FALSE
  /\ ends' = IF Is("a burst outlives its task") THEN 0 ELSE ends
  /\ UNCHANGED <<due, limit, silent, calm, faults, wrong>>

\* code: settle.lua
Fail ==
  /\ task = "runs"
  /\ task' = "fails"
  /\ due' \in 0..Slow
  /\ UNCHANGED <<ends, limit, led, silent, calm, open, faults, wrong>>

\* Redis loses what it remembers, or somebody clears the queue
\* code: clear.lua
Forget ==
  /\ Fault
  /\ ends' = 0 /\ silent' = Quiet
  /\ UNCHANGED <<task, due, limit, led, calm, open, wrong>>

Next == Tick \/ Change \/ RolledBack \/ Unasked \/ Claim \/ End \/ Fail \/ Forget

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* What is promised

\* A change leads if none has come for the quiet time; others run when it is quiet, or at their limit
NothingWrong == wrong = "nothing"

\* A change that no run has seen waits for one
NothingLost == open >= 0 => task = "waits"

\* What leads stays due until it is taken
AtOnce == led /\ task = "waits" => due = 0

\* No change waits for longer than it may, if consumers are prompt
InTime == open <= Most
=============================================================================
