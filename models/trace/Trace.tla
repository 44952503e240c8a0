------------------------------- MODULE Trace -------------------------------
\* Replays what a simulation has written down of tasks, each by itself: it has to be a behaviour
\* of Core. README.md, one folder up, has a table of what stands for what.
\*
\* TraceData.tla is written for each run: Traces, for each task the sequence of its events;
\* Processes, names for the consumers of a task; Stored, how often a task is scheduled at most.
\*
\* Core has no time, but only whoever looks at the clock knows whether a lease could be taken over.
\* So the end of the lease is kept beside it.
EXTENDS Core, Sequences, TraceData

VARIABLES
  trace,   \* number of the task
  at,      \* which of its events comes next
  until,   \* when its lease runs out, by Redis's clock
  well     \* which process has handled which version to a good end

Task == CHOOSE i \in Ids : TRUE
E == Traces[trace][at]

\* Instead of what Core would choose
TokenOfClaim(c) == E.token
NoTokens == {}
NoSymmetry == {}

Nothing == UNCHANGED vars
Counts == token[Task] = E.token
OnWire(op) == {r \in wire : r.op = op}
Extensions == {r \in OnWire("extend") : r.token = E.token}
Settlements == {r \in OnWire("settle") : r.token = E.token /\ r.outcome = E.outcome}
Believed == {d \in held[E.by] : d.token = E.token}

\* The token of a claim without an answer is in Redis alone, so the same claim may use it again
Known == {d.token : d \in UNION {held[c] : c \in Consumers}} \cup {r.token : r \in OnWire("settle") \cup OnWire("extend")}

TraceInit ==
  /\ Init
  /\ trace \in DOMAIN Traces /\ at = 1 /\ until = 0 /\ well = {}

\* A step of Core, or none, for each event
Happens ==
  CASE E.op = "ask schedule" -> AskSchedule(Task)
    [] E.op = "schedule" ->
         /\ E.outcome = "CREATED" => record[Task] = 0
         /\ E.outcome = "REPLACED" => record[Task] # 0
         /\ \E r \in OnWire("schedule") : r.version = E.version /\ Run(r, E.again, FALSE)
    [] E.op = "reject" -> record[Task] # 0 /\ Nothing
    [] E.op = "answered" -> E.version # 0 /\ fate[Task][E.version] # "none" /\ Nothing
    [] E.op = "refused" -> fate[Task][E.version] = "none" /\ Nothing
    [] E.op = "ask cancel" -> IF E.arrives /\ OnWire("cancel") = {} THEN Ask("cancel", Task) ELSE Nothing
    [] E.op = "cancel" ->
         /\ E.done = (Task \in scheduled \cup leased)
         /\ \E r \in OnWire("cancel") : Run(r, E.again, FALSE)
    [] E.op = "ask redrive" -> IF E.arrives /\ OnWire("redrive") = {} THEN Ask("redrive", Task) ELSE Nothing
    [] E.op = "redrive" ->
         /\ E.done = (Task \in dead)
         /\ \E r \in OnWire("redrive") : Run(r, E.again, FALSE)
    [] E.op = "move" -> E.done = (Task \in scheduled) /\ Nothing
    [] E.op = "claim" ->
         /\ E.over = (Task \in leased)
         /\ E.over => until <= E.time
         /\ E.version = record[Task]
         /\ E.token \notin (IF E.repeated THEN Known ELSE Taken)
         /\ Claim(E.by, {Task}, E.lost)
    [] E.op = "begin" -> (\E d \in held[E.by] : d.version = E.version /\ d.state = "running") /\ Nothing
    [] E.op = "end" -> Nothing
    [] E.op = "ask extend" ->
         \E d \in Believed : IF E.arrives /\ Counts /\ Extensions = {} THEN AskExtend(E.by, d) ELSE Nothing
    [] E.op = "extend" ->
         /\ E.done = Counts
         /\ IF Extensions = {} THEN ~Counts /\ Nothing ELSE \E r \in Extensions : Run(r, E.again, FALSE)
    [] E.op = "ask settle" ->
         IF Believed = {}
         THEN /\ E.outcome = "release"   \* of a claim whose answer was lost
              /\ IF E.arrives /\ Counts /\ Settlements = {} THEN GiveBack(E.by, Task) ELSE Nothing
         ELSE \E d \in Believed :
                /\ d.state = E.outcome
                /\ IF E.arrives /\ Settlements = {} THEN AskSettle(E.by, d) ELSE Nothing
    [] E.op = "settle" ->
         /\ E.done = Counts
         /\ IF Settlements = {} THEN E.outcome = "release" /\ ~Counts /\ Nothing
            ELSE \E r \in Settlements : Run(r, E.again, TRUE)
    [] E.op = "told" ->
         /\ ~Counts   \* so the second run changes nothing but what the consumer believes
         /\ IF Settlements = {} THEN E.outcome = "release" /\ Nothing
            ELSE \E r \in Settlements : Run(r, E.again, FALSE)
    [] E.op = "die" -> IF held[E.by] = {} THEN Nothing ELSE Die(E.by)

Event ==
  /\ at' = at + 1 /\ trace' = trace
  /\ Happens
  /\ until' = IF E.op = "claim" \/ (E.op = "extend" /\ E.done) THEN E.until ELSE until
  /\ well' = IF E.op = "end" THEN well \cup {<<E.by, E.version>>} ELSE well

\* Nobody writes these down. Each is possible only where the next event needs it
Silent ==
  /\ UNCHANGED <<trace, at, until, well>>
  /\ \/ E.op = "claim" /\ E.over /\ until <= E.time /\ RunOut(Task)
     \/ E.op = "ask extend" /\ E.arrives /\ Counts /\ Extensions = {} /\ RunOut(Task)
     \/ E.op = "schedule" /\ E.outcome = "CREATED" /\ Trim(Task)
     \/ /\ E.op = "ask settle"
        /\ \E d \in Believed :
             /\ E.outcome \in {"complete", "keep"} => <<E.by, d.version>> \in well
             /\ End(E.by, d, E.outcome)

Sound ==
  /\ OnePlace /\ LeaseHasToken /\ TokenHasHolder /\ OneHolder /\ TokensDiffer
  /\ NothingLost /\ NothingElse /\ NothingWrong

TraceNext == at <= Len(Traces[trace]) /\ (Event \/ Silent) /\ Sound'

\* How far each replay comes: the test reads it. A trace is accepted if all its events are behind it
Told == PrintT(<<trace, at>>)
=============================================================================
