-------------------------------- MODULE Core --------------------------------
\* One queue in Redis: which keys a task is in, who holds it, and what is left behind when
\* calls are lost, repeated or not answered and processes die.
\*
\* A script is one step, because Redis runs it as one. A request lies on the wire until Redis
\* runs it; it may be run twice (a client that got no answer sends it again), get lost, or
\* lose its answer. What a caller believes is therefore kept apart from what Redis has.
\*
\* Not modelled: due times and priorities (what is scheduled may be due at any time), limits,
\* totals, wake messages, partitions, generations (see Journal.tla).
\*
\* "code:" names what a step stands for: a method or a script. A test reads these lines.
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Ids,        \* ids of tasks
  Consumers,  \* processes that claim
  Versions,   \* how often each id is scheduled
  Faults,     \* how many things may go wrong
  Calls,      \* how many cancel, redrive, purge and clear calls there are
  Room,       \* how many tasks a consumer holds at most
  Wire,       \* how many requests are on their way at most
  Broken      \* the guard that is broken; "nothing" is the code as it is

VARIABLES
  scheduled, leased, dead, completed,  \* the sorted sets
  overdue,    \* those of `leased' whose deadline has passed
  record,     \* hash of tasks: the version that is stored, 0 if none
  token,      \* hash of deliveries: who holds the task, 0 if nobody does
  holder,     \* the beginning of the token: of which process it is
  wire,       \* requests on their way
  held,       \* what each consumer believes to hold
  version, calls, faults,   \* what has been used up of the bounds
  fate,       \* what has become of each version, as somebody knows who sees everything
  cause,      \* why a task may be delivered once more
  wrong       \* the first wrong thing that happened

keys == <<scheduled, leased, dead, completed, overdue, record, token, holder>>
used == <<version, calls, faults>>
truth == <<fate, cause, wrong>>
vars == <<keys, wire, held, used, truth>>

AllVersions == 1 .. Versions
AllTokens == 1 .. (Cardinality(Consumers) * Room + Cardinality(Ids) + Wire)
Outcomes == {"complete", "keep", "retry", "bury", "release", "repeat"}
Is(guard) == Broken = guard

Init ==
  /\ scheduled = {} /\ leased = {} /\ dead = {} /\ completed = {} /\ overdue = {}
  /\ record = [i \in Ids |-> 0] /\ token = [i \in Ids |-> 0] /\ holder = [i \in Ids |-> "nobody"]
  /\ wire = {} /\ held = [c \in Consumers |-> {}]
  /\ version = [i \in Ids |-> 0] /\ calls = 0 /\ faults = 0
  /\ fate = [i \in Ids |-> [v \in AllVersions |-> "none"]]
  /\ cause = [i \in Ids |-> "none"] /\ wrong = "nothing"

Fault == faults < Faults /\ faults' = faults + 1
AtNoCost == faults' = faults
FaultIf(condition) == IF condition THEN Fault ELSE AtNoCost
Send(request) == request \notin wire /\ Cardinality(wire) < Wire /\ wire' = wire \cup {request}
First(what, condition) == IF wrong = "nothing" /\ condition THEN what ELSE wrong

\* A token that nobody has: the client makes it of a random part and a counter
Taken == {token[i] : i \in Ids}
         \cup {d.token : d \in UNION {held[c] : c \in Consumers}}
         \cup {r.token : r \in {q \in wire : q.op \in {"settle", "extend"}}}
Lowest == CHOOSE t \in AllTokens : t \notin Taken /\ \A u \in AllTokens : u < t => u \in Taken
Constant == CHOOSE f \in [Consumers -> AllTokens] : \A c, d \in Consumers : c # d => f[c] # f[d]
NewToken(c) == IF Is("each claim has a token of its own") THEN Constant[c] ELSE Lowest

-----------------------------------------------------------------------------
\* Callers and consumers

\* code: RedisTaskStore#scheduleAhead
AskSchedule(i) ==
  /\ version[i] < Versions
  /\ version' = [version EXCEPT ![i] = @ + 1]
  /\ Send([op |-> "schedule", id |-> i, version |-> version[i] + 1])
  /\ UNCHANGED <<keys, held, calls, faults, truth>>

\* code: RedisTaskStore#cancel, RedisManagement#redrive
Ask(op, i) ==
  /\ calls < Calls /\ calls' = calls + 1
  /\ Send([op |-> op, id |-> i])
  /\ UNCHANGED <<keys, held, version, faults, truth>>

\* code: RedisManagement#purge, RedisManagement#clear
AskAll(op) ==
  /\ calls < Calls /\ calls' = calls + 1
  /\ Send([op |-> op])
  /\ UNCHANGED <<keys, held, version, faults, truth>>

\* A handler ends. Its outcome is kept until Redis has answered a settlement
\* code: SourceSettlements#add
End(c, d, outcome) ==
  /\ d \in held[c] /\ d.state = "running"
  /\ FaultIf(outcome \notin {"complete", "keep"})   \* bounds the others as well
  /\ held' = [held EXCEPT ![c] = (@ \ {d}) \cup {[d EXCEPT !.state = outcome]}]
  /\ UNCHANGED <<keys, wire, version, calls, truth>>

\* For the first time, or again because nobody answered
\* code: RedisTaskStore#settle
AskSettle(c, d) ==
  /\ d \in held[c] /\ d.state \in Outcomes
  /\ Send([op |-> "settle", id |-> d.id, token |-> d.token, outcome |-> d.state, version |-> d.version, from |-> c])
  /\ UNCHANGED <<keys, held, used, truth>>

\* The answer to a claim was lost. Who made it knows its token, looks which tasks have it, and hands these back
\* code: LostClaims#release, claimed.lua
GiveBack(c, i) ==
  /\ holder[i] = c
  /\ ~\E d \in held[c] : d.id = i /\ d.token = token[i]
  /\ Send([op |-> "settle", id |-> i, token |-> token[i], outcome |-> "release", version |-> record[i], from |-> c])
  /\ UNCHANGED <<keys, held, used, truth>>

\* Leases are extended until the settlement is done, so also of a handler that has ended
\* code: Leases#extend
AskExtend(c, d) ==
  /\ d \in held[c] /\ d.id \in overdue
  /\ Send([op |-> "extend", id |-> d.id, token |-> d.token])
  /\ UNCHANGED <<keys, held, used, truth>>

-----------------------------------------------------------------------------
\* Scripts

FateOf(i, from, to) == [fate EXCEPT ![i] = [v \in AllVersions |-> IF @[v] \in from THEN to ELSE @[v]]]
Holds(r) == token[r.id] = r.token

\* The client makes the token. If the answer is lost, the leases run out, or the tasks are given back
\* code: RedisTaskStore#claim, claim.lua
Claim(c, some, lost) ==
  LET new == NewToken(c)
      late == IF Is("a lease that has not run out is left alone") THEN leased ELSE leased \cap overdue
      got == {[id |-> i, token |-> new, version |-> record[i], state |-> "running"] : i \in {j \in some : record[j] # 0}}
  IN
  /\ some # {} /\ some \subseteq scheduled \cup late
  /\ Cardinality(held[c]) + Cardinality(some) <= Room
  /\ FaultIf(lost)
  /\ scheduled' = IF Is("a claim takes a task out of the index") THEN scheduled ELSE scheduled \ some
  /\ leased' = leased \cup some
  /\ overdue' = overdue \ some
  /\ token' = [i \in Ids |-> IF i \in some THEN new ELSE token[i]]
  /\ holder' = [i \in Ids |-> IF i \in some THEN c ELSE holder[i]]
  /\ held' = IF lost THEN held ELSE [held EXCEPT ![c] = @ \cup got]
  /\ wrong' = IF wrong # "nothing" THEN wrong
              ELSE IF \E i \in some : record[i] = 0 THEN "a task without a record was claimed"
              ELSE IF \E i \in some : fate[i][record[i]] # "open" THEN "a task was claimed that was cancelled, replaced or handled"
              ELSE IF \E i \in some : i \notin overdue /\ cause[i] = "none" THEN "a task was claimed twice without a cause"
              ELSE wrong
  /\ cause' = [i \in Ids |-> IF i \in some THEN "none" ELSE cause[i]]
  /\ UNCHANGED <<dead, completed, record, wire, version, calls, fate>>

\* code: schedule.lua
Schedule(r) ==
  LET i == r.id IN
  /\ record' = [record EXCEPT ![i] = r.version]
  /\ scheduled' = scheduled \cup {i}
  /\ leased' = IF Is("a replacement ends the lease") THEN leased ELSE leased \ {i}
  /\ overdue' = overdue \ {i} /\ dead' = dead \ {i} /\ completed' = completed \ {i}
  /\ token' = IF Is("a replacement makes the token void") THEN token ELSE [token EXCEPT ![i] = 0]
  /\ fate' = [FateOf(i, {"open", "dead"}, "replaced") EXCEPT ![i][r.version] = "open"]
  /\ cause' = [cause EXCEPT ![i] = "scheduled"]
  /\ UNCHANGED <<held, wrong>>

\* code: cancel.lua
Cancel(r) ==
  LET i == r.id
      known == IF Is("a cancellation looks at leases") THEN scheduled ELSE scheduled \cup leased
  IN
  IF i \notin known
  THEN \* the caller is told that there was nothing to cancel
       /\ wrong' = First("a task that is in flight was not cancelled", i \in leased)
       /\ UNCHANGED <<keys, held, fate, cause>>
  ELSE /\ scheduled' = scheduled \ {i}
       /\ leased' = IF Is("a cancellation ends the lease") THEN leased ELSE leased \ {i}
       /\ overdue' = overdue \ {i}
       /\ record' = [record EXCEPT ![i] = 0]
       /\ token' = IF Is("a cancellation makes the token void") THEN token ELSE [token EXCEPT ![i] = 0]
       /\ fate' = FateOf(i, {"open"}, "cancelled")
       /\ cause' = [cause EXCEPT ![i] = "none"]
       /\ UNCHANGED <<dead, completed, held, wrong>>

\* code: settle.lua
Settle(r) ==
  LET i == r.id
      comes == r.outcome \in {"retry", "release", "repeat"}
      ended == r.outcome \in {"complete", "keep"}
  IN
  IF ~Holds(r) /\ ~Is("a settlement needs the token")
  THEN UNCHANGED <<keys, truth>>
  ELSE /\ leased' = leased \ {i} /\ overdue' = overdue \ {i}
       /\ scheduled' = IF comes THEN scheduled \cup {i} ELSE scheduled
       /\ dead' = IF r.outcome = "bury" THEN dead \cup {i} ELSE dead
       /\ completed' = IF r.outcome = "keep" THEN completed \cup {i} ELSE completed
       /\ record' = IF r.outcome = "complete" THEN [record EXCEPT ![i] = 0] ELSE record
       /\ token' = IF Is("a settled task has no token") /\ r.outcome # "complete" THEN token
                   ELSE [token EXCEPT ![i] = 0]
       /\ wrong' = First("a settlement was applied to a task that its sender did not hold", fate[i][r.version] # "open")
       /\ fate' = [fate EXCEPT ![i][r.version] = IF ended THEN "handled" ELSE IF r.outcome = "bury" THEN "dead" ELSE @]
       /\ cause' = [cause EXCEPT ![i] = IF comes THEN r.outcome ELSE "none"]

\* code: extend.lua
Extend(r) ==
  IF ~Holds(r) /\ ~Is("an extension needs the token")
  THEN UNCHANGED <<keys, truth>>
  ELSE /\ leased' = leased \cup {r.id} /\ overdue' = overdue \ {r.id}
       /\ UNCHANGED <<scheduled, dead, completed, record, token, truth>>

\* code: redrive.lua
Redrive(r) ==
  LET i == r.id IN
  IF i \notin dead \/ record[i] = 0
  THEN UNCHANGED <<keys, truth>>
  ELSE /\ dead' = IF Is("a redriven task is no longer dead") THEN dead ELSE dead \ {i}
       /\ scheduled' = scheduled \cup {i}
       /\ token' = [token EXCEPT ![i] = 0]
       /\ fate' = FateOf(i, {"dead"}, "open")
       /\ cause' = [cause EXCEPT ![i] = "redriven"]
       /\ UNCHANGED <<leased, overdue, completed, record, wrong>>

\* code: purge.lua
Purge ==
  /\ dead' = {}
  /\ record' = [i \in Ids |-> IF i \in dead /\ ~Is("a purge removes the record") THEN 0 ELSE record[i]]
  /\ token' = [i \in Ids |-> IF i \in dead THEN 0 ELSE token[i]]
  /\ fate' = [i \in Ids |-> IF i \in dead THEN FateOf(i, {"dead"}, "cancelled")[i] ELSE fate[i]]
  /\ UNCHANGED <<scheduled, leased, overdue, completed, cause, wrong>>

\* code: clear.lua
Clear ==
  /\ scheduled' = {} /\ leased' = {} /\ overdue' = {} /\ dead' = {} /\ completed' = {}
  /\ record' = [i \in Ids |-> 0]
  /\ token' = IF Is("clearing makes tokens void") THEN token ELSE [i \in Ids |-> 0]
  /\ fate' = [i \in Ids |-> FateOf(i, {"open", "dead"}, "cancelled")[i]]
  /\ cause' = [i \in Ids |-> "none"]
  /\ UNCHANGED wrong

\* Whoever tends the queue forgets what was completed long ago
\* code: tend.lua
Trim(i) ==
  /\ i \in completed
  /\ completed' = completed \ {i}
  /\ record' = [record EXCEPT ![i] = 0]
  /\ UNCHANGED <<scheduled, leased, dead, overdue, token, holder, wire, held, used, truth>>

\* Redis runs a request. `twice': it is still on the wire, so it will be run again
\* code: ScriptRunner#run
Run(r, twice, lost) ==
  /\ r \in wire
  /\ FaultIf(twice \/ lost)
  /\ wire' = IF twice THEN wire ELSE wire \ {r}
  /\ CASE r.op = "schedule" -> Schedule(r)
       [] r.op = "cancel" -> Cancel(r)
       [] r.op = "redrive" -> Redrive(r) /\ UNCHANGED held
       [] r.op = "purge" -> Purge /\ UNCHANGED held
       [] r.op = "clear" -> Clear /\ UNCHANGED held
       [] r.op = "extend" -> Extend(r) /\ UNCHANGED held
       [] r.op = "settle" ->
            /\ Settle(r)
            /\ held' = IF lost THEN held
                       ELSE [held EXCEPT ![r.from] = {d \in @ : d.id # r.id \/ d.token # r.token}]
  /\ holder' = [i \in Ids |-> IF token'[i] = 0 THEN "nobody" ELSE holder[i]]   \* a part of the token
  /\ UNCHANGED <<version, calls>>

\* The connection of a process has gone for long: it is dead, or was only cut off, which is a fault
\* code: LeaseWatch#takeOver, takeover.lua
TakeOver(h) ==
  LET theirs == IF Is("a takeover ends the leases of one holder") THEN leased ELSE {i \in leased : holder[i] = h}
      ended == theirs \ overdue
  IN
  /\ ended # {}
  /\ FaultIf(h # "dead")
  /\ overdue' = overdue \cup ended
  /\ wrong' = First("a lease was ended whose holder lives",
                    h = "dead" /\ \E i \in ended, c \in Consumers : \E d \in held[c] : d.id = i /\ d.token = token[i])
  /\ UNCHANGED <<scheduled, leased, dead, completed, record, token, holder, wire, held, version, calls, fate, cause>>

-----------------------------------------------------------------------------
\* What goes wrong

\* A deadline passes. Whoever holds the task and lives extends it, so then it is a fault
\* code: none
RunOut(i) ==
  /\ i \in leased \ overdue
  /\ FaultIf(\E c \in Consumers : \E d \in held[c] : d.id = i /\ d.token = token[i])
  /\ overdue' = overdue \cup {i}
  /\ UNCHANGED <<scheduled, leased, dead, completed, record, token, holder, wire, held, version, calls, truth>>

\* A process dies, and another one takes its place; its requests are still on the wire
\* code: none
Die(c) ==
  /\ held[c] # {} /\ Fault
  /\ held' = [held EXCEPT ![c] = {}]
  /\ holder' = [i \in Ids |-> IF holder[i] = c THEN "dead" ELSE holder[i]]
  /\ UNCHANGED <<scheduled, leased, dead, completed, overdue, record, token, wire, version, calls, truth>>

\* code: none
Lose(r) ==
  /\ r \in wire /\ Fault
  /\ wire' = wire \ {r}
  /\ UNCHANGED <<keys, held, version, calls, truth>>

Next ==
  \/ \E i \in Ids : AskSchedule(i) \/ Ask("cancel", i) \/ Ask("redrive", i) \/ RunOut(i) \/ Trim(i)
  \/ AskAll("purge") \/ AskAll("clear") \/ TakeOver("dead")
  \/ \E c \in Consumers :
       \/ \E some \in SUBSET Ids, lost \in BOOLEAN : Claim(c, some, lost)
       \/ \E d \in held[c] : AskSettle(c, d) \/ AskExtend(c, d) \/ \E o \in Outcomes : End(c, d, o)
       \/ Die(c) \/ TakeOver(c) \/ \E i \in Ids : GiveBack(c, i)
  \/ \E r \in wire : Lose(r) \/ \E twice, lost \in BOOLEAN : Run(r, twice, lost)

Spec == Init /\ [][Next]_vars

\* Consumers claim, handlers end, settlements are sent, Redis answers, deadlines pass
LiveSpec ==
  /\ Spec
  /\ \A c \in Consumers : WF_vars(\E some \in SUBSET Ids : Claim(c, some, FALSE))
  /\ WF_vars(\E c \in Consumers : \E d \in held[c] : End(c, d, "complete"))
  /\ WF_vars(\E c \in Consumers : \E d \in held[c] : AskSettle(c, d))
  /\ WF_vars(\E r \in wire : Run(r, FALSE, FALSE))
  /\ WF_vars(\E i \in Ids : RunOut(i))

-----------------------------------------------------------------------------
\* What is promised

Places(i) == {s \in 1 .. 4 : i \in <<scheduled, leased, dead, completed>>[s]}

\* A task is in exactly one place, and then it has a record
OnePlace == \A i \in Ids : Cardinality(Places(i)) = (IF record[i] = 0 THEN 0 ELSE 1)

\* Whoever has a lease has a token, and nobody else
LeaseHasToken == \A i \in Ids : (i \in leased) <=> (token[i] # 0)

\* The token begins with the name of its holder
TokenHasHolder == \A i \in Ids : (token[i] # 0) <=> (holder[i] # "nobody")

\* At most one consumer holds a task by the token that counts
OneHolder ==
  \A i \in Ids : Cardinality({c \in Consumers : \E d \in held[c] : d.id = i /\ d.token = token[i]}) <= 1

\* Two deliveries of one task have different tokens
TokensDiffer ==
  \A b, c \in Consumers : \A d \in held[b], e \in held[c] :
    (d.id = e.id /\ d.token = e.token) => (b = c /\ d = e)

\* What is open will be delivered, what is dead can be looked at and redriven
NothingLost ==
  \A i \in Ids : \A v \in AllVersions :
    /\ fate[i][v] = "open" => record[i] = v /\ i \in scheduled \cup leased
    /\ fate[i][v] = "dead" => record[i] = v /\ i \in dead

\* Nothing will be delivered that is not open
NothingElse == \A i \in scheduled \cup leased : record[i] # 0 /\ fate[i][record[i]] = "open"

NothingWrong == wrong = "nothing"

\* Every task is handled, unless it is cancelled, replaced or dead
Handled == \A i \in Ids : \A v \in AllVersions : (fate[i][v] = "open") ~> (fate[i][v] # "open")

Symmetry == Permutations(Ids) \cup Permutations(Consumers)
=============================================================================
